# A formula that builds from the source of a release. The release fills in HOMEPAGE and SHA256. The page is left out: its engine is WebAssembly, and the Rust of
# Homebrew has no such target.
class Cgdsl < Formula
  desc "Language for the rulesets of combinatorial games, and engine that evaluates them"
  homepage "HOMEPAGE"
  url "HOMEPAGE/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "SHA256"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", "--profile", "dist", *std_cargo_args
    generate_completions_from_executable(bin/"cgdsl", "completions")
    system bin/"cgdsl", "man", buildpath/"man"
    man1.install Dir["man/*.1"]
  end

  test do
    assert_equal "nimber(Nim[3, 5, 6]) = 0\n", shell_output("#{bin}/cgdsl eval nim -e 'nimber(Nim[3, 5, 6])'")
  end
end
