/// Parts of a command that deserve a second look. Presenters highlight them; Router forbids nothing because of them.
///
/// The command is split into words at white space, quotes and the shell's operators. It is not parsed: a risk in quotes is
/// marked too, and a risk hidden in a variable is not.
package struct CommandRisk: Sendable {
  /// The marked words, such as `rm -rf`, and the reason.
  package struct Finding: Sendable, Hashable {
    /// The range in the command's UTF-8.
    package let range: Range<Int>
    package let why: String
  }

  private enum Pattern: Sendable {
    /// A word.
    case word([String])
    /// A program with at least one of these options. `-f` stands for a cluster of short options with that letter.
    case program([String], options: [String])
    /// A program that reads from a pipe.
    case pipe([String])
    /// A word with this prefix.
    case prefix(String)
  }

  private let pattern: Pattern
  private let why: String

  /// The table of risks. Paths outside the directory are found separately.
  private static let all = [
    Self(pattern: .program(["rm"], options: ["-r", "-R", "-f", "--recursive", "--force"]), why: "deletes without asking"),
    Self(pattern: .word(["shred", "mkfs", "fdisk", "wipefs"]), why: "destroys data"),
    Self(pattern: .prefix("mkfs."), why: "destroys data"),
    Self(pattern: .prefix("of=/dev/"), why: "overwrites a device"),
    Self(pattern: .program(["find"], options: ["-delete"]), why: "deletes files"),
    Self(
      pattern: .program(["git"], options: ["--force", "--force-with-lease", "--mirror"]), why: "overwrites history elsewhere"),
    Self(pattern: .program(["push"], options: ["-f", "--delete", "-d"]), why: "overwrites history elsewhere"),
    Self(pattern: .program(["reset"], options: ["--hard"]), why: "discards changes"),
    Self(pattern: .program(["clean"], options: ["-f", "--force"]), why: "deletes files that are not in git"),
    Self(pattern: .word(["--force", "--no-verify", "--no-preserve-root", "--privileged"]), why: "skips a safety check"),
    Self(pattern: .word(["sudo", "doas", "pkexec", "su"]), why: "runs as another user"),
    Self(
      pattern: .pipe(["sh", "bash", "zsh", "dash", "fish", "sudo", "python", "python3", "perl", "ruby", "node"]),
      why: "runs what it reads"),
    Self(pattern: .word(["eval"]), why: "runs a text"),
    Self(pattern: .program(["chmod", "chown"], options: ["-R", "--recursive", "777", "a+rwx"]), why: "changes access widely"),
    Self(pattern: .word(["DROP", "TRUNCATE"]), why: "deletes from a database"),
    Self(pattern: .word(["shutdown", "reboot", "poweroff", "halt"]), why: "stops the machine"),
  ]

  /// The limits of the search: the bytes of a command, and the arguments of a program.
  private static let (maximumBytes, maximumArguments) = (16_384, 64)

  /// Returns the ranges to mark, in order and without overlaps.
  ///
  /// - Parameter directory: Marks absolute paths outside this directory and the temporary one, and paths that lead out with
  ///   `..` or `~`; `nil` if it is unknown.
  package static func findings(in command: String, directory: String?) -> [Finding] {
    // Commands run programs and devices but do not change them.
    let inside = directory.map { [$0, "/tmp", "/usr", "/bin", "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"] }
    let bytes = Array(command.utf8.prefix(maximumBytes))
    let words = words(of: bytes)
    var findings: [Finding] = []
    for index in words.indices {
      for risk in all {
        for word in risk.matches(at: index, words) { findings.append(Finding(range: word.range, why: risk.why)) }
      }
      if let inside, words[index].leads(outOf: inside) {
        findings.append(Finding(range: words[index].range, why: "outside \(inside[0])"))
      }
    }
    /// Whether a range overlaps the previous one or is separated from it only by spaces.
    func isNext(_ range: Range<Int>, _ last: Range<Int>) -> Bool {
      range.lowerBound <= last.upperBound || bytes[last.upperBound..<range.lowerBound].allSatisfy { $0 == UInt8(ascii: " ") }
    }
    var merged: [Finding] = []
    for finding in findings.sorted(by: { ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count) }) {
      guard let last = merged.last, isNext(finding.range, last.range) else {
        merged.append(finding)
        continue
      }
      // Merges neighboring words with the same reason into one finding.
      if last.why == finding.why || finding.range.upperBound <= last.range.upperBound {
        let end = max(last.range.upperBound, finding.range.upperBound)
        merged[merged.count - 1] = Finding(range: last.range.lowerBound..<end, why: last.why)
      } else {
        merged.append(finding)
      }
    }
    return merged
  }

  private func matches(at index: Int, _ words: [Word]) -> [Word] {
    let word = words[index]
    switch pattern {
    case .word(let names): return names.contains(word.name) ? [word] : []
    case .prefix(let prefix): return word.text.begins(with: prefix) ? [word] : []
    case .pipe(let names): return word.isPiped && names.contains(word.name) ? [word] : []
    case .program(let names, let options):
      guard names.contains(word.name) else { return [] }
      let found = words[(index + 1)...].prefix(Self.maximumArguments).prefix { $0.command == word.command }
        .filter { argument in options.contains { argument.isOption($0) } }
      return found.isEmpty ? [] : [word] + found
    }
  }
}

extension CommandRisk {
  /// A word of a command.
  private struct Word {
    let text: String
    /// The last path component of the word. Stored, because every pattern reads it.
    let name: String
    let range: Range<Int>
    /// The index of its simple command.
    let command: Int
    /// Whether the word follows a pipe.
    let isPiped: Bool

    func isOption(_ option: String) -> Bool {
      if text == option || text.begins(with: option + "=") { return true }
      guard option.utf8.count == 2, option.begins(with: "-"), text.begins(with: "-"), !text.begins(with: "--") else {
        return false
      }
      return text.utf8.dropFirst().contains(option.utf8.last!)
    }

    func leads(outOf directories: [String]) -> Bool {
      let path = text.cut(at: "=")?.after ?? text[...]
      if path == "~" || path.begins(with: "~/") { return true }
      let parts = path.split(at: "/")
      if !path.begins(with: "/") { return parts.contains("..") }
      if parts.contains("..") || parts.isEmpty { return true }
      return !directories.contains { path.isSame(as: $0) || path.begins(with: $0 + "/") }
    }
  }

  private static func words(of bytes: [UInt8]) -> [Word] {
    var words: [Word] = []
    var (start, command, isPiped) = (0, 0, false)
    func add(upTo end: Int) {
      guard start < end else { return }
      let name = bytes[start..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? start
      words.append(
        Word(
          text: String(decoding: bytes[start..<end], as: UTF8.self), name: String(decoding: bytes[name..<end], as: UTF8.self),
          range: start..<end, command: command, isPiped: isPiped))
      isPiped = false
    }
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"):
        add(upTo: index)
      case UInt8(ascii: "\n"), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "`"),
        UInt8(ascii: "|"):
        add(upTo: index)
        command += 1
        isPiped = byte == UInt8(ascii: "|")
      default: continue
      }
      start = index + 1
    }
    add(upTo: bytes.count)
    return words
  }
}
