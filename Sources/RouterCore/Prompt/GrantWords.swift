/// Describes the coverage of a grant, based on the act and never on a title.
extension GrantOffer.Width {
  package func words(of act: Act) -> String {
    let place = act.directory.map { " in \($0)" } ?? ""
    return switch match {
    case .exact: "exactly this"
    case .prefix: "any \(act.words(first: count ?? 0)) …\(place), with options that only read"
    case .under: "\(act.verb) anywhere below \(act.directory ?? "/")"
    case .verb: "any \(act.verb)\(place)"
    }
  }
}

extension GrantOffer {
  /// Describes what always covers, and what it is bound to: `always: npm test, in ~/shop, by ada, from /usr/bin/claude`.
  func alwaysWords(_ width: Width, of act: Act, by userName: String) -> String {
    func place(_ prefix: String) -> String {
      act.directory.map { prefix + PromptDescription.short($0, userName: userName) } ?? ""
    }
    let covered =
      switch width.match {
      case .exact: (act.text ?? act.verb) + place(", in ")
      case .prefix: "any \(act.words(first: width.count ?? 0)) … with options that only read" + place(", in ")
      case .under: act.verb + place(" anywhere below ")
      case .verb: "any \(act.verb)" + place(", in ")
      }
    let program = alwaysProgram.map { [$0.executable, $0.script].compactMap(\.self).joined(separator: " ") }
    return "always: \(covered.cut(toBytes: 1000)), by \(userName), from \(program ?? "any program")"
  }
}

extension Act {
  /// Returns the first arguments, quoted for a shell.
  fileprivate func words(first count: Int) -> String {
    (arguments ?? []).prefix(count).map(\.shellQuoted).joined(separator: " ")
  }

  /// The act in one line: `Bash git push origin main`.
  package var summary: String { ([verb] + [text].compactMap(\.self)).joined(separator: " ") }
}

extension GrantOffer.Width {
  /// Describes the coverage of a grant, for lists: at most about 1,000 bytes.
  func coverage(of act: Act) -> String {
    let place = act.directory.map { " in \($0)" } ?? ""
    return (match == .exact ? act.summary + place : words(of: act)).cut(toBytes: 1000)
  }
}

extension String {
  /// The text with its middle omitted, if it is longer than `limit` bytes.
  fileprivate func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let (head, tail) = (utf8.prefix(limit * 2 / 3), utf8.suffix(limit / 3))
    let omitted = utf8.count - head.count - tail.count
    // A scalar that the cut splits shows as U+FFFD.
    return "\(String(decoding: head, as: UTF8.self)) … \(omitted) bytes … \(String(decoding: tail, as: UTF8.self))"
  }
}

extension GrantOffer.Uncovered {
  init(_ grant: Grant, _ obstacle: CommandTable.Obstacle) {
    self.init(grant: grant.id, coverage: grant.coverage, why: obstacle.why)
  }

  /// Explains why a remembered answer does not cover the prompt.
  var words: String { "a remembered answer does not cover this: it \(why) (remembered: \(coverage))" }
}

extension PresentationRequest.Remember.Period {
  /// The lifetime in words: `15 min`, or the process that it is bound to.
  package func words(_ anchor: ProcessIdentity.Ancestor?) -> String {
    switch self {
    case .session: "this session of \(anchor.map { "\($0.name) (pid \($0.pid))" } ?? "the program")"
    case .seconds(let seconds) where seconds % 3600 == 0: "\(seconds / 3600) h"
    case .seconds(let seconds) where seconds % 60 == 0: "\(seconds / 60) min"
    case .seconds(let seconds): "\(seconds) s"
    case .always: "always, here"
    }
  }
}

extension Event.Revoked.Reason {
  package var words: String {
    switch self {
    case .processGone: "its program has ended"
    case .unused: "it was not used for long"
    case .roleLost: "who gave it lost the role grant"
    }
  }
}
