import ArgumentParser

/// A shell with completions, by the name of its program.
enum CompletionShellName: String, Sendable, CaseIterable {
  case bash, zsh, fish

  /// The paths of completions below a data directory such as `~/.local/share`.
  var files: [String] {
    switch self {
    case .bash: ["/bash-completion/completions/routerctl"]
    case .zsh: ["/zsh/site-functions/_routerctl", "/zsh/vendor-completions/_routerctl"]
    case .fish: ["/fish/vendor_completions.d/routerctl.fish"]
    }
  }

  var script: String {
    switch self {
    case .bash: Routerctl.completionScript(for: .bash)
    case .zsh: Routerctl.completionScript(for: .zsh)
    case .fish: Routerctl.completionScript(for: .fish)
    }
  }
}
