import OrderedCollections
import Router
import RouterCommandLine

/// The timeline of one presentation for a person: the request, then one line per event.
struct LogTimeline {
  let events: [AuditEvent]
  let zone: LocalTime
  let users: UserNames
  let style: OutputStyle

  var lines: [String] {
    guard let first = events.first else { return [] }
    return heading + [""] + events.flatMap { lines($0, since: first.at) } + (isUnreported ? ["approved, not reported"] : [])
      + wayBack
  }

  /// How to take back the remembered answer that ended it.
  private var wayBack: [String] {
    events.compactMap { $0.detail["because"]?["grant"]?.string }
      .map { "remembered: routerctl grants revoke \($0.suffix(8)) takes it back".escapedForTerminal() }
  }

  /// Whether an act was approved and has no reported result.
  private var isUnreported: Bool {
    guard let asked = events.first.flatMap({ try? $0.event() }), asked.kind == .requested,
      var presentation = try? Presentation(asked)
    else { return false }
    for event in events.dropFirst().compactMap({ try? $0.event() }) { try? presentation.apply(event) }
    return presentation.isUnreported
  }

  /// The request and the requester, from the events alone.
  private var heading: [String] {
    guard let id = events.first?.presentation else { return [] }
    var lines = [style.text(id.description, .bold)]
    guard let asked = events.first(where: { $0.kind == .requested })?.detail else { return lines }
    let request = asked["request"]
    func add(_ label: String, _ text: String?) {
      guard let text, !text.isEmpty else { return }
      for (index, part) in parts(text, from: 11).enumerated() {
        lines.append(style.text((index == 0 ? label : "").padded(to: 10), .dim) + " " + part)
      }
    }
    func text(_ key: String) -> String? { request?[key]?.string.map { $0.escapedForTerminal() } }
    add("kind", [text("kind"), text("sheet")].compactMap(\.self).joined(separator: " "))
    add("title", text("title"))
    let message = request?["message"]?.string ?? ""
    for (index, line) in message.split(at: "\n", omittingEmptySubsequences: false).enumerated() {
      add(index == 0 ? "message" : "", String(line).escapedForTerminal())
    }
    for attachment in request?["attachments"]?.array ?? [] {
      let lines = (attachment["text"]?.string ?? "").split(at: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        add(index == 0 ? attachment["type"]?.string ?? "" : "", String(line).escapedForTerminal())
      }
    }
    if let act = asking?.act {
      let object = (act.commandLine ?? act.object).map { " " + $0 } ?? ""
      add("act", "\(act.verb)\(object)".escapedForTerminal())
      add("digest", act.digest)
    }
    add("buttons", asking?.buttons.map { asking?.text(ofButton: $0.id) ?? "" }.joined(separator: ", "))
    add("fields", asking?.schema?.properties.map { ($0.title ?? $0.name).escapedForTerminal() }.joined(separator: ", "))
    add("requester", requester(asked["requester"]))
    let process = asked["requester"].flatMap { try? Presentation.Requester(json: $0) }?.process
    add("called by", process?.callChain?.escapedForTerminal())
    add("directory", process?.directory?.escapedForTerminal())
    add("surface", text("surface") ?? "main")
    add("priority", text("priority"))
    add("flow", request?["flow"]?.bool == true ? (request?["over"] == nil ? "root screen" : "later screen") : nil)
    add("over", text("over"))
    add("lifetime", asked["attached"]?.bool.map { $0 ? "ends with its requester's connection" : "detached" })
    for (index, label) in (request?["metadata"]?.object ?? [:]).enumerated() {
      add(index == 0 ? "metadata" : "", "\(label.key)=\(label.value.string ?? "")".escapedForTerminal())
    }
    return lines
  }

  private func requester(_ party: JSONValue?) -> String? {
    guard let party else { return nil }
    let process = (try? Presentation.Requester(json: party))?.process
    let uid = party["uid"]?.number?.integer.flatMap(UInt32.init(exactly:))
    let parts: [String?] = [
      party["app"]?.string.map { $0.escapedForTerminal() }, uid.map { user($0, on: party["host"]?.string ?? "") },
      party["pid"]?.number?.integer.map { "pid \($0)" }, process?.program?.escapedForTerminal(),
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  private func user(_ uid: UInt32, on host: String) -> String {
    host.isEmpty ? "user \(users[uid]) (uid \(uid))" : "uid \(uid) on \(host.escapedForTerminal())"
  }

  /// The request; `nil` if this version cannot decode it.
  private var asking: PresentationRequest? { events.first { $0.kind == .requested }?.request }

  /// Returns the event's lines, with each field of a form below.
  private func lines(_ event: AuditEvent, since start: Timestamp) -> [String] {
    let fields = event.detail["outcome"]?["value"].flatMap { asking?.fields(of: $0) } ?? []
    let width = fields.map { $0.label.columns }.max() ?? 0
    var lines = self.line(event, since: start)
    for (label, text) in fields {
      for (index, part) in text.wrapped(to: max(20, style.width - Self.fieldColumn - width - 2)).enumerated() {
        let margin = String(repeating: " ", count: Self.fieldColumn)
        lines.append(margin + style.text((index == 0 ? label : "").padded(to: width), .dim) + "  " + part)
      }
    }
    return lines
  }

  /// Returns the lines of a text that begins in a column, wrapped to the terminal.
  private func parts(_ text: String, from column: Int) -> [String] {
    style.isTerminal ? text.wrapped(to: max(20, style.width - column)) : [text]
  }

  /// The column of an answer's fields, below the event's type.
  private static let fieldColumn = 33
  /// The column of an event's sentence.
  private static let sentenceColumn = 50

  private func line(_ event: AuditEvent, since start: Timestamp) -> [String] {
    var words = LogEventWords(event: event, users: users, request: asking)
    words.hasFieldsBelow = true
    let passed = ("+" + event.at.duration(since: start).compact).padded(to: 7, atStart: true)
    let time = style.text("\(zone.text(event.at, precisely: true)) \(passed)", .dim)
    // The heading already shows the request.
    let sentence = event.kind == .requested ? "" : words.sentence
    let kind = style.text(event.kind.rawValue.padded(to: sentence.isEmpty ? 0 : 17), face: words.face)
    guard !sentence.isEmpty else { return ["\(time) \(kind)"] }
    return parts(sentence, from: Self.sentenceColumn).enumerated().map { index, part in
      (index == 0 ? "\(time) \(kind) " : String(repeating: " ", count: Self.sentenceColumn)) + part
    }
  }
}
