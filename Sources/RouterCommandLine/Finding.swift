import ArgumentParser
import Router

/// One line of a doctor's report.
package enum Finding: Sendable, Hashable {
  case fine(String)
  /// A problem and its fix.
  case problem(String)

  var isProblem: Bool { if case .problem = self { true } else { false } }
  var line: String {
    switch self {
    case .fine(let text): "ok       \(text)"
    case .problem(let text): "problem  \(text)"
    }
  }

  /// The output lines. Text too long for the terminal continues below the first line.
  func lines(_ style: OutputStyle) -> [String] {
    let line = line.escapedForTerminal()
    guard style.isTerminal else { return [line] }
    let label = String(line.prefix(9))
    let parts = String(line.dropFirst(9)).wrapped(to: max(20, style.width - 9))
    return parts.enumerated().map { ($0 == 0 ? label : String(repeating: " ", count: 9)) + $1 }
  }
}

extension [Finding] {
  /// Prints the findings. Throws ``ExitStatus/faulty`` if any is a problem.
  package func report() throws {
    for line in flatMap({ $0.lines(StandardStream.output.style) }) { StandardStream.output.line(line) }
    if contains(where: \.isProblem) { throw ExitCode(ExitStatus.faulty.rawValue) }
  }
}
