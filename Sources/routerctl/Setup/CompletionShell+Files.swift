import ArgumentParser

extension CompletionShell {
  /// The paths of completions below a data directory such as `~/.local/share`.
  var files: [String] {
    switch self {
    case .bash: ["/bash-completion/completions/routerctl"]
    case .zsh: ["/zsh/site-functions/_routerctl", "/zsh/vendor-completions/_routerctl"]
    default: ["/fish/vendor_completions.d/routerctl.fish"]
    }
  }
}
