import Router
import RouterCommandLine

/// Describes an event for a person. Missing members are omitted, because other versions' events may lack them.
struct LogEventWords {
  let event: AuditEvent
  let users: UserNames
  /// The request, if known.
  var request: PresentationRequest?
  /// Whether to put each field of a form on a separate line.
  var hasFieldsBelow = false

  /// Returns one line for a list of events: the time, the event, the presentation and the main detail.
  func line(zone: LocalTime, style: OutputStyle) -> String {
    let time = style.text(zone.text(event.at, precisely: true), .dim)
    let kind = style.text(event.kind.rawValue.padded(to: 17), face: face)
    let line = "\(time) \(kind) \((event.presentation?.short ?? "-").padded(to: 8)) \(sentence)"
    let taken = 23 + 1 + 17 + 1 + 8 + 1
    guard style.isTerminal else { return line }
    return String(line.dropLast(sentence.count)) + sentence.cut(to: max(1, style.width - taken))
  }

  /// The main detail of the event, in one line.
  var sentence: String {
    let detail = event.detail
    switch event.kind {
    case .requested: return requested
    case .presented:
      let presenters = (detail["presenters"]?.array ?? []).compactMap { who($0, name: "name") }.joined(separator: ", ")
      return joined([
        word("surface").map { "on \($0)" }, number("level").flatMap { $0 > 0 ? "at level \($0)" : nil }, showing,
        presenters.isEmpty ? nil : "at \(presenters)",
      ])
    case .withdrawn:
      let until = word("until").flatMap { Timestamp($0) }.map { "until \(LocalTime.system.text($0))" }
      return joined([word("reason"), until, who(detail["by"]).map { "by \($0)" }, shownFor, showing])
    case .deferred:
      return joined([
        word("until").flatMap { Timestamp($0) }.map { "until \(LocalTime.system.text($0))" },
        who(detail["by"]).map { "by \($0)" },
      ])
    case .woken: return who(detail["by"]).map { "by \($0)" } ?? "its time had come"
    case .answered, .dismissed, .cancelled, .expired, .failed:
      return joined([
        outcome, who(detail["by"]).map { "by \($0)" }, remembered, shownFor, showing,
        detail["stays"]?.bool == true ? "and stays open" : nil, who(detail["finishedBy"]).map { "finished by \($0)" },
      ])
    case .detached: return "continues without its requester's connection"
    case .delivered: return "its requester received the outcome"
    case .ran:
      let ran = try? Presentation.Ran(json: detail, at: "")
      let words = ran.map { "\($0.report.words)\($0.report.reason.map { ": \($0.escapedForTerminal())" } ?? "")" }
      return joined([words, duration("duration").map { "after \($0)" }, who(detail["by"]).map { "reported by \($0)" }])
    case .callbackDelivered, .callbackFailed: return joined([number("attempts").map { "attempt \($0)" }, word("error")])
    case .presenterFailed:
      return "\(who(detail["by"]) ?? "a presenter") could not show it" + (word("detail").map { " (\($0))" } ?? "")
    case .presenterAttached, .presenterDetached:
      return joined([
        who(detail["by"]), word("surface").map { "on \($0)" }, word("only").map { "only for \($0.suffix(8))" },
        duration("after").map { "after \($0)" },
        word("priority").map { "from priority \($0)" },
      ])
    case .daemonStarted, .daemonStopped: return joined([who(detail["process"]), pid(of: detail["process"])])
    case .accessDenied:
      return joined([
        word("what"), who(detail["by"]).map { "by \($0)" }, pid(of: detail["by"]), word("reason"),
        number("unrecorded").map { "and \($0) more before it" },
      ])
    case .throttled:
      return joined([word("app").map { "app \($0)" }, duration("for").map { "for \($0)" }, who(detail)])
    case .pageLinkIssued:
      return joined([who(detail).map { "for \($0)" }, who(detail["by"]).map { "by \($0)" }, pid(of: detail["by"])])
    case .granted:
      guard let grant = try? Grant(json: detail) else { return "" }
      return joined([
        "\(grant.label) is remembered for \(grant.coverage)".escapedForTerminal(),
        grant.isAlways ? "always" : grant.until.map { "until \($0)" } ?? "until \(grant.anchor) ends".escapedForTerminal(),
        who(detail["by"]).map { "by \($0)" },
      ])
    case .revoked:
      return joined([
        word("grant").map { "the remembered answer \($0.suffix(8))" },
        who(detail["by"]).map { "by \($0)" }
          ?? "because \((word("because").flatMap(Event.Revoked.Reason.init) ?? .processGone).words)",
      ])
    case .paused:
      let pause = try? SessionPause(json: detail, at: "")
      return joined([pause?.words(now: event.at), who(detail["by"]).map { "by \($0)" }])
    case .resumed:
      return joined([word("pause").map { "the session paused at \($0.suffix(8))" }, who(detail["by"]).map { "by \($0)" }])
    case .switched:
      let change = try? Switch(json: detail)
      return joined([
        change.map { $0.isOff ? "off" : "on" }, word("until").map { "until \($0)" }, who(detail["by"]).map { "by \($0)" },
      ])
    case .rulesLoaded:
      return joined([
        String(counting: detail["rules"]?.array?.count ?? 0, "rule") + " from " + (word("file") ?? ""),
        word("sha256").map { "sha256 \($0)" },
        who(detail["by"]).map { "confirmed by \($0)" },
      ])
    case .pruned: return detail.escapedForTerminal
    }
  }

  var face: OutputStyle.Face? {
    switch event.kind {
    case .presented: .cyan
    case .answered, .dismissed, .cancelled, .expired, .failed:
      OutputStyle.Face.of(
        PresentationOutcome.Name(rawValue: event.kind.rawValue),
        event.detail["outcome"]?["button"]?.string.flatMap { id in request?.kind(of: .button(id)) })
    case .callbackFailed, .presenterFailed, .throttled, .accessDenied: .red
    case .daemonStarted, .daemonStopped, .pageLinkIssued, .granted, .revoked, .paused, .resumed, .rulesLoaded, .switched,
      .pruned:
      .bold
    case .ran: (try? Presentation.Ran(json: event.detail, at: ""))?.report.face
    default: nil
    }
  }

  private var requested: String {
    let (request, requester) = (event.detail["request"], event.detail["requester"])
    let heading = [request?["kind"], request?["sheet"], request?["title"]].compactMap { $0?.string?.escapedForTerminal() }
    let asked = event.request
    let command = asked.flatMap { PresentationSummary($0).command }.map { "· \($0.escapedForTerminal())" }
    let party = requester.flatMap { try? Presentation.Requester(json: $0) }
    let name = party.flatMap { party in asked.map { RequesterName(party, $0).text } }
    let app = (name ?? requester?["app"]?.string)?.escapedForTerminal()
    return joined([
      (heading + [command].compactMap(\.self)).joined(separator: " "), app.map { "from \($0)" },
      who(requester).map { "by \($0)" },
      event.detail["ruled"]?["rule"]?.string.map { "under the rule \($0)".escapedForTerminal() },
    ])
  }

  private var outcome: String? {
    let comment = event.detail["outcome"]?["comment"]?.string.map { "“\($0.escapedForTerminal())”" }
    let parts = [outcomeText, comment].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }

  private var outcomeText: String? {
    guard let outcome = event.detail["outcome"] else { return nil }
    if outcome["redacted"]?.bool == true { return "not recorded" }
    if let button = outcome["button"]?.string { return request?.text(ofButton: button) ?? button.escapedForTerminal() }
    if let value = outcome["value"] {
      let fields = request?.fields(of: value) ?? []
      if hasFieldsBelow, !fields.isEmpty { return nil }
      return fields.isEmpty ? value.escapedForTerminal : fields.map { "\($0): \($1)" }.joined(separator: ", ")
    }
    return (outcome["reason"] ?? outcome["phase"] ?? outcome["detail"])?.string.map { $0.escapedForTerminal() }
  }

  private var remembered: String? {
    let because = event.detail["because"]
    return because?["grant"]?.string.map { "remembered as \($0.suffix(8))" }
      ?? because?["rule"]?.string.map { "by the rule \($0)".escapedForTerminal() }
      ?? because?["with"]?.string.map { "together with \($0.suffix(8))" }
  }

  private var showing: String? { number("generation").map { "showing \($0)" } }

  private var shownFor: String? {
    event.detail["shownFor"]?.number.map { "after \(Duration.milliseconds(Int64(clamping: $0.double * 1000)).compact)" }
  }

  private func word(_ key: String) -> String? { event.detail[key]?.string.map { $0.escapedForTerminal() } }
  private func number(_ key: String) -> Int? { event.detail[key]?.number?.integer }
  private func duration(_ key: String) -> String? {
    event.detail[key]?.number.map { Duration.milliseconds(Int64(clamping: $0.double * 1000)).compact }
  }

  private func who(_ party: JSONValue?, name: String = "presenter") -> String? {
    guard let party, let uid = party["uid"]?.number?.integer.flatMap(UInt32.init(exactly:)) else { return nil }
    let user = users[uid, on: party["host"]?.string ?? ""]
    return party[name]?.string.map { "\(user)@\($0.escapedForTerminal())" } ?? user
  }

  private func pid(of party: JSONValue?) -> String? { party?["pid"]?.number?.integer.map { "pid \($0)" } }

  private func joined(_ parts: [String?]) -> String {
    parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension AuditEvent {
  /// The request of a `requested` event; `nil` for an event of another version.
  var request: PresentationRequest? { detail["request"].flatMap { try? PresentationRequest(accepted: $0) } }
}

extension Int64 {
  /// The nearest representable number.
  fileprivate init(clamping value: Double) {
    self = value.isNaN ? 0 : Int64(Swift.max(-1e15, Swift.min(1e15, value)))
  }
}
