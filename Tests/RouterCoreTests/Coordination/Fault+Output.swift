import TestSupport

@testable import RouterCore

/// Faults in the machine's output.
extension Fault {
  func corrupted(
    _ events: [Event], by input: PresentationInput?, in machine: inout MachineUnderTest, at now: Duration
  ) -> [Event] {
    switch self {
    case .dropsParentEnded: return events.without { $0.isResolved(as: .cancelled(.parentEnded)) }
    case .coversSilently: return events.without { $0.isWithdrawn(because: .covered) }
    case .resolvesTwice: return events.flatMap { $0.isResolved(as: .dismissed) ? [$0, $0] : [$0] }
    case .repeatsGeneration:
      return events.map { event in
        guard case .presented(var shown) = event.detail else { return event }
        shown.generation = 1
        return Event(at: event.at, presentation: event.presentation, .presented(shown))
      }
    case .losesStackWithPresenter:
      // The bottom is withdrawn last, together with the stack above it.
      if let bottom = events.last(where: { $0.isWithdrawn(because: .presenterGone) })?.presentation {
        _ = try? machine.act(.change(bottom, Verbs.Cancel(), by: .user(0), isAdmin: true), at: now)
      }
      return events.without { $0.isWithdrawn(because: .presenterGone) }
    case .answersSilently:
      return events.without { if case .answered = $0.detail { true } else { false } }
    case .finishesWithFirstAnswer:
      return events.map { $0.answeredFirst(in: &machine.memory.firstAnswers) }
    case .endsFlowWithBack:
      guard let change = input?.change, change.verb is Verbs.Dismiss, let root = machine.memory.root(of: change.id) else {
        return events
      }
      return events + ((try? machine.act(.change(root, Verbs.Cancel(), by: .user(0), isAdmin: true), at: now)) ?? [])
    case .shownClockRunsWhileCovered, .shownClockRunsOnAfterAnswer:
      for event in events {
        guard let id = event.presentation, case .presented = event.detail, machine.memory.firstShown[id] == nil else {
          continue
        }
        machine.memory.firstShown[id] = now
      }
      return events
    case .swapsTwoWaiting:
      let renamed = events.map { $0.renamed(by: machine.memory.swapped) }
      if case .request(let ask)? = input { swap(ask, in: &machine) }
      return renamed
    default: return events
    }
  }

  private func swap(_ ask: PresentationAsk, in machine: inout MachineUnderTest) {
    let surfaces = machine.surfaces
    func waits(_ other: PresentationAsk) -> Bool {
      guard let entry = surfaces.entry(other.id) else { return false }
      return entry.request.surface == ask.request.surface && !entry.isShown
    }
    guard machine.memory.swapped == nil, waits(ask) else { return }
    let twin = machine.memory.asks.first { other in
      other.id != ask.id && other.request.over == ask.request.over && other.request.priority == ask.request.priority
        && waits(other)
    }
    machine.memory.swapped = twin.map { ($0.id, ask.id) }
  }

  func corrupted(_ view: SurfaceView, with memory: Memory) -> SurfaceView {
    var view = view
    switch self {
    case .repeatsGeneration:
      for index in view.items.indices { view.items[index].generation = min(1, view.items[index].generation) }
    case .swapsTwoWaiting:
      for index in view.items.indices { view.items[index].id = view.items[index].id.renamed(by: memory.swapped) }
      view.stack = view.stack.map { $0.renamed(by: memory.swapped) }
    default: break
    }
    return view
  }

  /// Expires a presentation as if its clock had not paused while covered, or had not restarted after an answer.
  func endsEarly(in machine: inout MachineUnderTest, at now: Duration) -> [Event] {
    guard self == .shownClockRunsWhileCovered || self == .shownClockRunsOnAfterAnswer else { return [] }
    for ask in machine.memory.asks {
      guard let timeout = ask.request.shownTimeout, let since = machine.memory.firstShown[ask.id], since + timeout <= now,
        let entry = machine.surfaces.entry(ask.id),
        self == .shownClockRunsWhileCovered ? entry.isCovered : entry.isShown && entry.lastAnswer != nil,
        let events = try? machine.act(.change(ask.id, Verbs.Cancel(), by: .user(0), isAdmin: true), at: now)
      else { continue }
      return events.map { event in
        guard event.presentation == ask.id, case .resolved(var end) = event.detail else { return event }
        (end.outcome, end.by) = (.expired(.presented), nil)
        return Event(at: event.at, presentation: ask.id, .resolved(end))
      }
    }
    return []
  }
}

extension [Event] {
  /// Returns the events without the first one that matches.
  fileprivate func without(_ isMeant: (Event) -> Bool) -> [Event] {
    var events = self
    if let index = events.firstIndex(where: isMeant) { events.remove(at: index) }
    return events
  }
}

extension Event {
  fileprivate func isResolved(as outcome: PresentationOutcome) -> Bool {
    if case .resolved(let end) = detail { end.outcome == outcome } else { false }
  }

  fileprivate func isWithdrawn(because reason: WithdrawalReason) -> Bool {
    if case .withdrawn(let withdrawn) = detail { withdrawn.reason == reason } else { false }
  }

  /// The event as emitted by a machine that keeps a flow's first answer instead of its last.
  fileprivate func answeredFirst(in answers: inout [PresentationID: PresentationAnswer]) -> Event {
    guard let id = presentation else { return self }
    switch detail {
    case .answered(let answered): answers[id] = answers[id] ?? answered.answer
    case .resolved(var end):
      guard case .answered = end.outcome, let first = answers[id] else { break }
      end.outcome = .answered(first)
      return Event(at: at, presentation: id, .resolved(end))
    default: break
    }
    return self
  }

  fileprivate func renamed(by pair: (PresentationID, PresentationID)?) -> Event {
    Event(at: at, presentation: presentation?.renamed(by: pair), detail)
  }
}

extension Fault.Memory {
  /// The root of a stacked presentation, or `nil` for a root.
  fileprivate func root(of id: PresentationID) -> PresentationID? {
    func parent(of id: PresentationID) -> PresentationID? { asks.first { $0.id == id }?.request.over }
    var root = parent(of: id)
    while let id = root, let next = parent(of: id) { root = next }
    return root
  }
}

extension PresentationID {
  fileprivate func renamed(by pair: (PresentationID, PresentationID)?) -> PresentationID {
    guard let pair else { return self }
    return self == pair.0 ? pair.1 : self == pair.1 ? pair.0 : self
  }
}
