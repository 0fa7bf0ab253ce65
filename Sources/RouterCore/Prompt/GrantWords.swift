/// The words for what a grant covers, made from the act and never from a title.
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

extension Act {
  /// The first arguments as a shell would read them back.
  fileprivate func words(first count: Int) -> String {
    (arguments ?? []).prefix(count).map(\.shellQuoted).joined(separator: " ")
  }

  /// The act in one line: `Bash git push origin main`.
  package var summary: String { ([verb] + [text].compactMap(\.self)).joined(separator: " ") }
}

extension GrantOffer.Width {
  /// What a grant covers, in words, for lists: at most about 1,000 bytes.
  func coverage(of act: Act) -> String {
    let place = act.directory.map { " in \($0)" } ?? ""
    return (match == .exact ? act.summary + place : words(of: act)).cut(toBytes: 1000)
  }
}

extension String {
  /// The text without its middle, if it has more bytes.
  fileprivate func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let (head, tail) = (utf8.prefix(limit * 2 / 3), utf8.suffix(limit / 3))
    let omitted = utf8.count - head.count - tail.count
    // A cut in the middle of a scalar shows as U+FFFD.
    return "\(String(decoding: head, as: UTF8.self)) … \(omitted) bytes … \(String(decoding: tail, as: UTF8.self))"
  }
}

extension GrantOffer.Uncovered {
  init(_ grant: Grant, _ obstacle: CommandTable.Obstacle) {
    self.init(grant: grant.id, coverage: grant.coverage, why: obstacle.why)
  }

  /// That a remembered answer does not cover the prompt, and why.
  var words: String { "a remembered answer does not cover this: it \(why) (remembered: \(coverage))" }
}

extension PresentationRequest.Remember.Period {
  /// The time in words: `15 min`, or the process that it ends with.
  package func words(_ anchor: ProcessIdentity.Ancestor?) -> String {
    switch self {
    case .session: "this session of \(anchor.map { "\($0.name) (pid \($0.pid))" } ?? "the program")"
    case .seconds(let seconds) where seconds % 3600 == 0: "\(seconds / 3600) h"
    case .seconds(let seconds) where seconds % 60 == 0: "\(seconds / 60) min"
    case .seconds(let seconds): "\(seconds) s"
    }
  }
}
