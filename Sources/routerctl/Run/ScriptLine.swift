import Router

/// The first line of a script: `#!INTERPRETER [ARGUMENT]` (execve(2)).
struct ScriptLine: Sendable, Hashable {
  let interpreter: String
  /// The text after the interpreter.
  let argument: String?

  /// - Parameter head: The beginning of the file. Returns `nil` if it is not a script.
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

  /// The command that executes the script: the interpreter, or the command that env(1) looks up, with options. `nil` if another
  /// word may name a program or a file that the prompt would not show, as in `#!/usr/bin/nice tool` and `#!/usr/bin/python3
  /// helper.py`.
  var command: [String]? {
    let words = (argument ?? "").utf8.split { " \t".utf8.contains($0) }.map { String(Substring($0)) }
    guard interpreter.fileName == "env" else {
      return words.allSatisfy(\.isPlainOption) ? [interpreter] + (argument.map { [$0] } ?? []) : nil
    }
    let rest = words.first == "-S" ? words.dropFirst() : words.prefix(2)
    guard let name = rest.first, name.isPlainName, rest.dropFirst().allSatisfy(\.isPlainOption),
      words.first == "-S" || words.count == 1
    else { return nil }
    return Array(rest)
  }
}

extension String {
  /// Whether the word is an option without a value: `-e`, `-eu`, `--posix`.
  fileprivate var isPlainOption: Bool {
    begins(with: "-") && utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isPlain }
  }

  /// Whether env(1) treats the word as a command's name: without quotes, variables and assignments.
  fileprivate var isPlainName: Bool { !begins(with: "-") && utf8.allSatisfy { "/._+-".utf8.contains($0) || $0.isPlain } }
}

extension UInt8 {
  fileprivate var isPlain: Bool { lowercasedASCII.isSmallLetter || "0123456789".utf8.contains(self) }
}
