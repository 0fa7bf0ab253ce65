import ArgumentParser

/// One line of a doctor's.
enum Finding: Sendable, Hashable {
  case fine(String)
  /// What is wrong, and how to fix it.
  case problem(String)

  var isProblem: Bool { if case .problem = self { true } else { false } }
  var line: String {
    switch self {
    case .fine(let text): "ok       \(text)"
    case .problem(let text): "problem  \(text)"
    }
  }
}

extension [Finding] {
  /// Prints them. Throws the exit status for problems if there are any.
  func report() throws {
    for finding in self { StandardStream.output.line(finding.line.escapedForTerminal()) }
    if contains(where: \.isProblem) { throw ExitCode(ExitStatus.faulty.rawValue) }
  }
}
