import Router

/// The names that a command line of ssh, sftp or scp may mean as its host, in the form of `known_hosts`.
enum SSHHostNames {
  /// The maximum number of words that are tried.
  private static let maximumWords = 64

  /// - Parameter arguments: The command line, with the program.
  static func candidates(_ arguments: [[UInt8]]) -> [String] {
    let words = arguments.dropFirst().prefix(maximumWords).compactMap { String(validating: $0, as: UTF8.self) }
    var (names, ports): ([String], [String]) = ([], [])
    for (index, word) in words.enumerated() {
      if let port = port(word, next: words.dropFirst(index + 1).first) { ports.append(port) }
      guard !word.begins(with: "-") else { continue }
      let isAddress = word.begins(with: "ssh://") || word.begins(with: "sftp://")
      let place = isAddress ? word.cut(at: "/").map { $0.after.dropFirst() } ?? "" : word[...]
      let account = place.cut(at: "/")?.before ?? place
      var host = account.split(at: "@").last ?? ""
      if let (name, rest) = host.cut(at: ":"), !host.begins(with: "["), !rest.utf8.contains(UInt8(ascii: ":")) {
        if isAddress { ports.append(String(rest)) }
        host = name
      }
      if !host.isEmpty { names.append(host.lowercased()) }
    }
    return names + names.flatMap { name in ports.map { "[\(name)]:\($0)" } }
  }

  /// Returns the port that a word sets: `-p 22`, `-p22`, `-P 22`, `-o Port=22`, `-oPort=22`.
  private static func port(_ word: String, next: String?) -> String? {
    if word == "-p" || word == "-P" { return next }
    if let port = word.rest(after: "-p") { return String(port) }
    let option = (word.rest(after: "-o") ?? word[...]).lowercased()
    return option.rest(after: "port=").map { String($0) }
  }
}
