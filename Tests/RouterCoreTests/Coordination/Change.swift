import RouterCore
import TestSupport

/// The predictable part of an event: everything but its time and rank.
enum Change: Hashable {
  case requested(PresentationID, lane: Int, round: Int, level: Int)
  case presented(PresentationID, generation: Int, level: Int, presenters: [String])
  case withdrawn(
    PresentationID, generation: Int, WithdrawalReason, lane: Int?, shownFor: Duration?, until: Timestamp? = nil,
    by: Presentation.Responder? = nil)
  case deferred(PresentationID, until: Timestamp, by: Presentation.Responder?)
  case woken(PresentationID, by: Presentation.Responder?)
  case answered(PresentationID, Said, by: Presentation.Responder?, generation: Int, shownFor: Duration?)
  case resolved(PresentationID, End)
  case detached(PresentationID)
  case presenterFailed(PresentationID, generation: Int, by: Presentation.Responder)
  case presenterAttached(String, surface: String)
  case presenterDetached(String, surface: String)
  /// An event that the rules do not decide.
  case other(AuditEvent.Kind)

  /// An answer as logged, and as delivered to its requester.
  struct Said: Hashable {
    let written: PresentationAnswer
    let extra: AnswerExtra
    let secret: PresentationAnswer?
  }

  struct End: Hashable {
    let outcome: PresentationOutcome
    var extra = AnswerExtra()
    var secret: PresentationAnswer?
    var by: Presentation.Responder?
    var finishedBy: Presentation.Responder?
    var generation: Int?
    var shownFor: Duration?
  }

  init(_ event: Event) {
    switch (event.presentation, event.detail) {
    case (let id?, .requested(let asked)):
      self = .requested(id, lane: asked.place.lane, round: asked.place.round, level: asked.level)
    case (let id?, .presented(let shown)):
      self = .presented(
        id, generation: shown.generation, level: shown.level, presenters: shown.presenters.map(\.name))
    case (let id?, .withdrawn(let withdrawn)):
      self = .withdrawn(
        id, generation: withdrawn.generation, withdrawn.reason, lane: withdrawn.place?.lane,
        shownFor: withdrawn.shownFor, until: withdrawn.until, by: withdrawn.by)
    case (let id?, .deferred(let deferred)): self = .deferred(id, until: deferred.until, by: deferred.by)
    case (let id?, .woken(let woken)): self = .woken(id, by: woken.by)
    case (let id?, .answered(let answered)):
      self = .answered(
        id, Said(written: answered.answer, extra: answered.extra, secret: answered.secret), by: answered.by,
        generation: answered.generation, shownFor: answered.shownFor)
    case (let id?, .resolved(let end)):
      self = .resolved(
        id,
        End(
          outcome: end.outcome, extra: end.extra, secret: end.secret, by: end.by, finishedBy: end.finishedBy,
          generation: end.generation, shownFor: end.shownFor))
    case (let id?, .detached): self = .detached(id)
    case (let id?, .presenterFailed(let failure)):
      self = .presenterFailed(id, generation: failure.generation, by: failure.by)
    case (nil, .presenterAttached(let attached)):
      self = .presenterAttached(attached.by.presenter ?? "", surface: attached.surface)
    case (nil, .presenterDetached(let detached)):
      self = .presenterDetached(detached.by.presenter ?? "", surface: detached.surface)
    default: self = .other(event.kind)
    }
  }

  /// The change as text, such as `a cancelled/busy`. `a answered on 1` keeps the presentation open, `a answered` ends it.
  /// `nil` for changes without a presentation.
  var sentence: String? {
    switch self {
    case .requested(let id, _, _, _): "\(id.name) requested"
    case .presented(let id, let generation, let level, _):
      "\(id.name) presented \(generation)" + (level == 0 ? "" : " on level \(level)")
    case .withdrawn(let id, let generation, let reason, _, _, _, _): "\(id.name) withdrawn \(generation) \(reason)"
    case .deferred(let id, _, _): "\(id.name) deferred"
    case .woken(let id, _): "\(id.name) woken"
    case .answered(let id, _, _, let generation, _): "\(id.name) answered on \(generation)"
    case .resolved(let id, let end):
      "\(id.name) \(end.outcome.name)" + (end.outcome.reason.map { "/" + $0 } ?? "")
    case .detached(let id): "\(id.name) detached"
    case .presenterFailed(let id, let generation, let by): "\(id.name) failed on \(generation) by \(by.presenter ?? "?")"
    case .presenterAttached, .presenterDetached, .other: nil
    }
  }
}

extension [Event] {
  var sentences: [String] { compactMap { Change($0).sentence } }
}
