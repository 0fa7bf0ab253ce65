/// The first line of a script: `#!INTERPRETER [ARGUMENT]` (execve(2)).
struct ScriptLine: Sendable, Hashable {
  let interpreter: String
  /// All that follows the interpreter.
  let argument: String?

  /// - Parameter head: The beginning of the file; `nil` is returned if it is not a script.
  init?(_ head: [UInt8]) {
    guard head.starts(with: "#!".utf8) else { return nil }
    let line = head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let words = line.drop(while: isBlank)
    let name = words.prefix { !isBlank($0) }
    var rest = words.dropFirst(name.count).drop(while: isBlank)
    while rest.last.map(isBlank) == true { rest.removeLast() }
    guard !name.isEmpty, let interpreter = String(validating: name, as: UTF8.self),
      let argument = String(validating: rest, as: UTF8.self)
    else { return nil }
    (self.interpreter, self.argument) = (interpreter, argument.isEmpty ? nil : argument)
  }

  /// The command that env(1) would look up, as in `#!/usr/bin/env python3`.
  var lookedUp: String? {
    guard interpreter.hasSuffix("/env"), let argument, !argument.hasPrefix("-"),
      !argument.contains(where: { " \t=".contains($0) })
    else { return nil }
    return argument
  }
}
