# The program without the page: nix-build -E '(import <nixpkgs> {}).callPackage packaging/nix/package.nix { }'
{ lib, rustPlatform, installShellFiles }:

rustPlatform.buildRustPackage {
  pname = "cgdsl";
  version = "0.1.0";
  src = lib.cleanSource ../..;
  cargoLock.lockFile = ../../Cargo.lock;
  buildType = "dist";
  nativeBuildInputs = [ installShellFiles ];
  # They take long, and the repository's own checks run them.
  doCheck = false;
  postInstall = ''
    for shell in bash fish zsh; do $out/bin/cgdsl completions $shell >cgdsl.$shell; done
    installShellCompletion cgdsl.{bash,fish,zsh}
    $out/bin/cgdsl man man
    installManPage man/*.1
  '';
  doInstallCheck = true;
  installCheckPhase = ''
    $out/bin/cgdsl eval nim -e 'nimber(Nim[3, 5, 6])' | grep -x 'nimber(Nim\[3, 5, 6\]) = 0'
  '';
  meta = {
    description = "Language for the rulesets of combinatorial games, and engine that evaluates them";
    license = with lib.licenses; [ mit asl20 ];
    mainProgram = "cgdsl";
  };
}
