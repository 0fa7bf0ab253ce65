import TestSupport
import Testing

@testable import RouterCore

/// Folding events into a presentation, and rejecting events out of sequence.
@Suite struct FoldTests {
  private static let id = PresentationID(name: "a")

  /// The events of `a` in a scene that requests it and then runs `body`.
  private func events(_ body: (inout Scene) throws -> Void) throws -> [Event] {
    var scene = Scene()
    try scene.askFlow("a")
    try body(&scene)
    return scene.events.filter { $0.presentation == Self.id }
  }

  private func fold(_ events: [Event]) throws -> Presentation {
    var presentation = try Presentation(#require(events.first))
    for event in events.dropFirst() { try presentation.apply(event) }
    return presentation
  }

  @Test func `folds a flow from its request to its end`() throws {
    let presentation = try fold(
      events { scene in
        scene.wait(2)
        try scene.answer("a")
        scene.wait(1)
        try scene.finish("a")
      })
    #expect(presentation.state == .resolved)
    #expect(presentation.generation == 2)
    #expect(presentation.presentedAt == Moment(.zero).wall)
    #expect(presentation.resolvedAt == Moment(.seconds(3)).wall)
    #expect(presentation.outcome == .answered(.value("ok")))
    #expect(presentation.shownFor == .zero)
    #expect(presentation.shownSince == nil)
  }

  @Test func `writes an ended presentation as it is now, however often it changes`() throws {
    var presentation = try fold(
      events { scene in
        try scene.answer("a")
        try scene.finish("a")
      })
    let now = Moment(.seconds(3)).wall
    presentation.callback = Presentation.Callback()
    for detail: Event.Detail in [
      .callbackFailed(Event.CallbackFailed(error: "no", attempts: 1, nextIn: .seconds(1))),
      .callbackDelivered(Event.CallbackDelivered(attempts: 2)),
    ] {
      let before = presentation.jsonText
      try presentation.apply(Event(at: now, presentation: presentation.id, detail))
      #expect(presentation.jsonText == JSONText(presentation) && presentation.jsonText != before)
    }
    // A sensitive answer is sent in a copy.
    var copy = presentation
    copy.outcome = .answered(.value("secret"))
    #expect(copy.jsonText == JSONText(copy) && copy.jsonText != presentation.jsonText)
  }

  @Test func `rejects a repeated, missing or swapped event`() throws {
    let events = try events { scene in
      try scene.answer("a")
      try scene.ask("b", over: "a")
      try scene.answer("b")
      scene.detach(1)
      scene.attach(1)
      try scene.finish("a")
    }
    _ = try fold(events)
    for index in events.indices {
      let event = events[index]
      #expect(throws: FoldError.self, "\(event.kind) twice") { try fold(events[...index] + [event] + events[(index + 1)...]) }
      guard index > 0, index + 1 < events.count else { continue }
      var swapped = events
      swapped.swapAt(index, index + 1)
      #expect(throws: FoldError.self, "\(event.kind) after the next") { try fold(swapped) }
    }
    #expect(throws: FoldError.self) { try fold(Array(events.dropFirst())) }
    #expect(throws: FoldError.self) { try fold(events.filter { $0.kind != .presented }) }
  }

  @Test func `leaves the presentation unchanged on an event out of sequence`() throws {
    var presentation = try fold(events { try $0.dismiss("a") })
    let before = presentation
    for detail: Event.Detail in [
      .detached, .daemonStarted(Event.Daemon(.user(1))), .callbackDelivered(Event.CallbackDelivered(attempts: 1)),
    ] {
      #expect(throws: FoldError.self) {
        try presentation.apply(Event(at: Moment(.zero).wall, presentation: Self.id, detail))
      }
    }
    #expect(presentation == before)
  }

  @Test func `a callback stays pending until it is delivered or fails`() throws {
    func apply(_ detail: Event.Detail, to presentation: inout Presentation) throws {
      try presentation.apply(Event(at: Moment(.zero).wall, presentation: Self.id, detail))
    }
    var scene = Scene()
    try scene.ask("a") { $0.hasCallback = true }
    try scene.answer("a")
    var presentation = try fold(scene.events.filter { $0.presentation == Self.id })
    #expect(presentation.callback == Presentation.Callback())
    try apply(.callbackFailed(Event.CallbackFailed(error: "refused", attempts: 1, nextIn: .seconds(1))), to: &presentation)
    #expect(presentation.callback == Presentation.Callback(state: .pending, attempts: 1, lastError: "refused"))
    try apply(.callbackDelivered(Event.CallbackDelivered(attempts: 2)), to: &presentation)
    #expect(presentation.callback == Presentation.Callback(state: .delivered, attempts: 2))
  }

  @Test func `a result of a callback after the last one changes nothing`() throws {
    func apply(_ detail: Event.Detail, to presentation: inout Presentation) throws {
      try presentation.apply(Event(at: Moment(.zero).wall, presentation: Self.id, detail))
    }
    var scene = Scene()
    try scene.ask("a") { $0.hasCallback = true }
    try scene.answer("a")
    let pending = try fold(scene.events.filter { $0.presentation == Self.id })
    let last: [Event.Detail] = [
      .callbackDelivered(Event.CallbackDelivered(attempts: 2)),
      .callbackFailed(Event.CallbackFailed(error: "refused", attempts: 3)),
    ]
    let retry = Event.Detail.callbackFailed(Event.CallbackFailed(error: "again", attempts: 4, nextIn: .seconds(1)))
    for first in last {
      var presentation = pending
      try apply(first, to: &presentation)
      let settled = presentation
      for second in last + [retry] { try apply(second, to: &presentation) }
      #expect(presentation == settled)
    }
  }
}
