// The extension in one file, and the grammar beside it.
import { build } from "esbuild";
import * as fs from "node:fs";

fs.mkdirSync("dist", { recursive: true });
fs.copyFileSync("../textmate/cgdsl.tmLanguage.json", "dist/cgdsl.tmLanguage.json");
await build({ entryPoints: ["extension.js"], bundle: true, platform: "node", external: ["vscode"], format: "cjs", outfile: "dist/extension.js", logLevel: "warning" });
