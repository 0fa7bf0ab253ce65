import Glibc
import Router

extension CheckedProgram {
  /// Notes for the person about unchecked inputs.
  var notes: [String] {
    func list(_ names: [String]) -> String {
      let shown = names.prefix(8).map { $0.escapedForTerminal() }.joined(separator: ", ")
      return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
    }
    return [
      unreadable.isEmpty ? nil : "Not readable, so not checked: \(list(unreadable))",
      unchecked.isEmpty ? nil : "Not checked, though arguments may name them: \(list(unchecked))",
      Self.input.map { "Not checked: standard input, which is \($0)" },
    ].compactMap(\.self)
  }

  /// Describes standard input, if it may contain a script or data and is not a terminal; `nil` for a device such as /dev/null.
  private static var input: String? {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      let path = SymbolicLink.target(of: "/proc/self/fd/0").map { String(showing: $0).escapedForTerminal() }
      return path.map { "the file \($0)" } ?? "a file"
    case S_IFIFO: return "a pipe"
    case S_IFSOCK: return "a socket"
    default: return nil
    }
  }
}
