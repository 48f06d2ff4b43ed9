//! `cgdsl page`: serves the files of the page to a browser on this machine. It listens only on the loopback interface, under
//! a secret path, and refuses requests from other origins (DNS rebinding, cross-site requests).

use super::output::Output;

/// The message of a program built without the page.
#[cfg(not(feature = "page"))]
pub fn page(output: &mut Output, _port: u16, _out: Option<&str>) -> u8 {
    output.error(
        "this program was built without the page. In the folder of its source:\n  cd web && npm ci && node build.mjs && cd ..\n  cargo install --path . --locked --profile dist --features page",
    );
    2
}

#[cfg(feature = "page")]
pub use with_files::page;

#[cfg(feature = "page")]
mod with_files {
    use super::Output;
    use cgdsl_site::FILES;
    use std::net::Ipv4Addr;
    use tiny_http::{Header, Method, Request, Response, Server, StatusCode};

    /// `cgdsl page`
    pub fn page(output: &mut Output, port: u16, out: Option<&str>) -> u8 {
        if FILES.is_empty() {
            output.error(
                "the page was not built when this program was: cd web && npm ci && node build.mjs, then build the program again",
            );
            return 2;
        }
        match out {
            Some(folder) => write(output, folder),
            None if output.json => {
                output.error("a page that is handed out has no JSON; `--out` writes it");
                2
            }
            None => serve(output, port),
        }
    }

    /// Writes the files into a folder; files of other names are left alone.
    fn write(output: &mut Output, folder: &str) -> u8 {
        if let Err(e) = std::fs::create_dir_all(folder) {
            output.error(&format!("{folder}: {e}"));
            return 2;
        }
        for (name, bytes) in FILES {
            let path = std::path::Path::new(folder).join(name);
            if !output.write(&path.to_string_lossy(), bytes) {
                return 2;
            }
        }
        if output.json {
            output.file(Some(folder), "");
        } else {
            output.line(&format!("{folder}: {} files", FILES.len()));
        }
        0
    }

    fn serve(output: &mut Output, port: u16) -> u8 {
        let server = match Server::http((Ipv4Addr::LOCALHOST, port)) {
            Ok(server) => server,
            Err(e) => {
                output.error(&format!("port {port}: {e}"));
                return 2;
            }
        };
        let Some(port) = server.server_addr().to_ip().map(|a| a.port()) else {
            output.error("the system gives no port");
            return 2;
        };
        let mut secret = [0; 16];
        if let Err(e) = getrandom::fill(&mut secret) {
            output.error(&format!("the system gives no random numbers: {e}"));
            return 2;
        }
        let token: String = secret.iter().map(|b| format!("{b:02x}")).collect();
        output.line(&format!("http://127.0.0.1:{port}/{token}/"));
        output.line("Open this link in a browser on this machine. Ctrl-C ends.");
        for request in server.incoming_requests() {
            let (status, file) = answer(&request, port, &token);
            // The client may have gone.
            let _ = respond(request, status, file);
        }
        0
    }

    /// The value of a header.
    fn header<'r>(request: &'r Request, name: &'static str) -> Vec<&'r str> {
        let all = request.headers().iter().filter(|h| h.field.equiv(name));
        all.map(|h| h.value.as_str()).collect()
    }

    /// The status of the response, and the file.
    fn answer(
        request: &Request,
        port: u16,
        token: &str,
    ) -> (u16, Option<&'static (&'static str, &'static [u8])>) {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let [host] = header(request, "Host")[..] else {
            return (400, None);
        };
        if !hosts.iter().any(|h| h == host) {
            return (421, None);
        }
        let origins = header(request, "Origin");
        if !origins.iter().all(|o| *o == format!("http://{host}")) {
            return (403, None);
        }
        if !matches!(request.method(), Method::Get | Method::Head) {
            return (405, None);
        }
        let path = request.url().split(['?', '#']).next().unwrap_or("");
        let below = path.strip_prefix('/').and_then(|p| p.strip_prefix(token));
        let Some(name) = below.and_then(|p| p.strip_prefix('/')) else {
            return (404, None);
        };
        let name = if name.is_empty() { "index.html" } else { name };
        match FILES.iter().find(|(n, _)| *n == name) {
            Some(file) => (200, Some(file)),
            None => (404, None),
        }
    }

    /// The content type of a file, by its name.
    fn kind(name: &str) -> &'static str {
        match name.rsplit('.').next().unwrap_or("") {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            "wasm" => "application/wasm",
            "webmanifest" => "application/manifest+json",
            _ => "text/plain; charset=utf-8",
        }
    }

    fn respond(
        request: Request,
        status: u16,
        file: Option<&'static (&'static str, &'static [u8])>,
    ) -> std::io::Result<()> {
        let (name, body): (&str, &[u8]) = file.map_or(("", b""), |f| (f.0, f.1));
        let headers = [
            ("Content-Type", kind(name)),
            ("X-Content-Type-Options", "nosniff"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
            ("Content-Security-Policy", "frame-ancestors 'none'"),
            ("Cache-Control", "no-store"),
        ];
        let headers = headers
            .iter()
            .filter_map(|(n, v)| Header::from_bytes(*n, *v).ok());
        let length = Some(body.len());
        let response = Response::new(StatusCode(status), headers.collect(), body, length, None);
        request.respond(response)
    }
}
