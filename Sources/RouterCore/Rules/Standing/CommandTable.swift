/// The commands that a remembered answer or a rule may cover with varying arguments.
///
/// An allowlist: for a program, subcommand or option outside it, a person is asked.
package struct CommandTable: Sendable, Hashable {
  /// The rows of each program, those with the most words first.
  private var rows: [String: [Row]] = [:]
  /// The rows of the setting `grants.prefixes`, as written.
  package private(set) var added: [String] = []

  /// Why the table does not cover a command, worded to follow "it".
  package struct Obstacle: Error, Sendable, Hashable {
    package let why: String
  }

  /// Creates a table of rows. Skips invalid rows.
  init(_ texts: [String]) {
    for row in texts.compactMap({ try? Row($0) }) { insert(row) }
  }

  /// Adds a row of the setting `grants.prefixes`.
  ///
  /// - Throws: ``JSONError`` with a message worded to follow the row.
  package mutating func add(_ text: String) throws(JSONError) {
    let row = try Row(text)
    guard row.words.count > 1 else {
      throw JSONError("needs a program and a subcommand: a program's name alone does not say what happens")
    }
    insert(row)
    added.append(text)
  }

  private mutating func insert(_ row: Row) {
    rows[row.words[0], default: []].append(row)
    rows[row.words[0]]?.sort { $0.words.count > $1.words.count }
  }

  /// Whether a row may cover a command that begins with the words.
  package func mayCover(_ words: [String]) -> Bool {
    guard let program = words.first, let rows = rows(of: program) else { return false }
    let rest = words.dropFirst(Self.start(of: words, rows))
    return rows.contains { row in zip(row.words.dropFirst(), rest).allSatisfy { $0.isSame(as: $1) } }
  }

  /// Returns the number of arguments that determine the effect: 2 of `git log -n 3`, 3 of `gh pr view 7`.
  ///
  /// - Throws: ``Obstacle`` if a later argument is unknown or may change the effect.
  package func prefix(of arguments: [String]) throws(Obstacle) -> Int {
    guard let program = arguments.first, let rows = rows(of: program) else {
      throw Obstacle(why: "runs a program whose subcommands are not known")
    }
    let start = Self.start(of: arguments, rows)
    guard let row = rows.first(where: { $0.isBeginning(of: arguments[start...]) }) else {
      throw Obstacle(why: "has no subcommand that is known to only read")
    }
    let count = start + row.words.count - 1
    try row.check(arguments[count...])
    return count
  }

  /// The index of the first word after the program and the options that may precede a subcommand.
  private static func start(of arguments: [String], _ rows: [Row]) -> Int {
    let options = leading[rows[0].words[0]] ?? []
    return 1 + arguments.dropFirst().prefix { argument in options.contains { $0.isSame(as: argument) } }.count
  }

  /// The rows of a program, by its name or its path in a system directory. A program elsewhere may be a different one.
  private func rows(of program: String) -> [Row]? {
    let place = ["/usr/bin/", "/bin/"].first { program.utf8.starts(with: $0.utf8) }
    let name = String(decoding: program.utf8.dropFirst(place?.utf8.count ?? 0), as: UTF8.self)
    guard let found = rows[name], found[0].words[0].isSame(as: name) else { return nil }
    return found
  }
}

extension CommandTable {
  /// A subcommand: `gh pr view ...: -c --json=`.
  ///
  /// Its words determine the effect. With `...`, names, paths or revisions may follow. After the colon come the options that do
  /// not change the effect: `-n=` and `--since=` have a value, `--color[=]` may have one after a `=`, `-[ab]` are letters that
  /// may be combined, and `-#` is a number.
  struct Row: Sendable, Hashable {
    let words: [String]
    private let takesWords: Bool
    private var flags: Set<String> = []
    /// Options with a value.
    private var valued: Set<String> = []
    /// Options that may have a value after a `=`.
    private var optional: Set<String> = []
    private var letters: Set<UInt8> = []
    private var takesNumber = false

    init(_ text: String) throws(JSONError) {
      let parts = text.split(at: ":", maxSplits: 1)
      var words = (parts.first ?? "").split(at: " ").map(String.init)
      takesWords = words.last == "..."
      if takesWords { words.removeLast() }
      self.words = words
      guard let first = words.first, !first.hasPrefix("-"), !words.contains("..."),
        words.allSatisfy({ $0.utf8.allSatisfy(\.isCommandByte) })
      else { throw JSONError("is not a row such as \"gh pr view ...: -c --json=\"") }
      for option in parts.dropFirst().joined().split(at: " ").map(String.init) {
        guard option.hasPrefix("-"), option.utf8.count > 1 else {
          throw JSONError("has \(option.shortened), which is no option")
        }
        if option == "-#" {
          takesNumber = true
        } else if option.hasPrefix("-["), option.hasSuffix("]") {
          letters.formUnion(option.utf8.dropFirst(2).dropLast())
        } else if option.hasSuffix("[=]") {
          optional.insert(String(option.dropLast(3)))
        } else if option.hasSuffix("=") {
          valued.insert(String(option.dropLast()))
        } else {
          flags.insert(option)
        }
      }
    }

    /// Whether the arguments after the program begin with the row's words.
    func isBeginning(of arguments: ArraySlice<String>) -> Bool {
      arguments.count >= words.count - 1 && zip(words.dropFirst(), arguments).allSatisfy { $0.isSame(as: $1) }
    }

    /// Checks the arguments after the row's words.
    func check(_ arguments: ArraySlice<String>) throws(Obstacle) {
      var rest = arguments
      while let argument = rest.popFirst() {
        // Compares a byte, because a Character may include more.
        if argument.utf8.first != UInt8(ascii: "-") {
          try checkWord(argument)
        } else if needsValue(argument) {
          // A value that looks like an option may be parsed as one.
          guard let value = rest.popFirst(), value.utf8.first != UInt8(ascii: "-") else { throw unknown(argument) }
        } else if !isKnown(argument) {
          throw unknown(argument)
        }
      }
    }

    private func checkWord(_ word: String) throws(Obstacle) {
      if word.utf8.contains("::".utf8) || word.utf8.contains("://".utf8) {
        throw Obstacle(why: "has the address \(word.shortened), which may be elsewhere or name a program")
      }
      if !takesWords { throw unknown(word) }
    }

    private func unknown(_ argument: String) -> Obstacle {
      Obstacle(why: "has \(argument.shortened), with which \(words.joined(separator: " ")) may do more than read")
    }

    private func needsValue(_ argument: String) -> Bool { valued.contains { $0.isSame(as: argument) } }

    private func isKnown(_ argument: String) -> Bool {
      let bytes = Array(argument.utf8)
      // Option names are ASCII. Compares bytes, since equal strings may differ in bytes.
      let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
      let isAlone = name.utf8.count == bytes.count
      if optional.contains(name) || (isAlone ? flags : valued).contains(name) { return true }
      let letters = bytes.dropFirst()
      guard let first = letters.first, first != UInt8(ascii: "-") else { return false }
      if letters.allSatisfy({ self.letters.contains($0) }) { return true }
      if takesNumber, letters.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) { return true }
      // A value directly after its option letter.
      return letters.count > 1 && valued.contains(String(decoding: bytes.prefix(2), as: UTF8.self))
    }
  }
}

extension String {
  /// Whether the bytes are equal. Swift's `==` also matches canonically equivalent strings.
  fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension UInt8 {
  /// Whether the byte may occur in a program or subcommand.
  fileprivate var isCommandByte: Bool { lowercasedASCII.isSmallLetter || "0123456789-_.+".utf8.contains(self) }
}
