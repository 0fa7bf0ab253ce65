/// The data of an event in a stream of the API.
package protocol StreamEvent: Record {
  static var eventName: String { get }
}

extension StreamEvent {
  package static var ignoresUnknown: Bool { true }

  /// The event encoded for a stream.
  package var serverSentBytes: [UInt8] { ServerSentEvent.bytes(name: Self.eventName, data: jsonText) }
}

// MARK: For requesters

package struct QueuedEvent: StreamEvent {
  package static var eventName: String { "queued" }
  package static var about: String { "Queued. Sent again when the position changes, at most once a second." }

  let id: PresentationID
  let position: Int

  package init(id: PresentationID, position: Int) { (self.id, self.position) = (id, position) }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    id = try f("id", \.id)
    position = try f("position", \.position)
  }
}

package struct PresentedEvent: StreamEvent {
  package static var eventName: String { "presented" }
  package static var about: String { "Shown to the person." }

  let id: PresentationID
  let generation: Int

  package init(id: PresentationID, generation: Int) { (self.id, self.generation) = (id, generation) }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    id = try f("id", \.id)
    generation = try f("generation", \.generation, "", .positive)
  }
}

package struct AnsweredEvent: StreamEvent {
  package static var eventName: String { "answered" }
  package static var about: String {
    "Answered on that showing. resolved follows, except in a flow, where it is presented again."
  }

  let id: PresentationID
  let generation: Int
  let outcome: RecordedOutcome

  package init(id: PresentationID, generation: Int, _ outcome: RecordedOutcome) {
    (self.id, self.generation, self.outcome) = (id, generation, outcome)
  }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    id = try f("id", \.id)
    generation = try f("generation", \.generation, "", .positive)
    outcome = try f("outcome", \.outcome)
  }
}

package struct ApprovedEvent: StreamEvent {
  package static var eventName: String { "approved" }
  package static var about: String { "One of several people has answered." }

  let id: PresentationID
  let have: Int
  let need: Int

  package init(id: PresentationID, have: Int, need: Int) { (self.id, self.have, self.need) = (id, have, need) }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    id = try f("id", \.id)
    have = try f("have", \.have, "How many have.", .positive)
    need = try f("need", \.need, "How many must.", ["type": "integer", "minimum": 2])
  }
}

// MARK: For presenters

package struct PresentEvent: StreamEvent {
  package static var eventName: String { "present" }
  package static var about: String { "Show this in place of the previous presentation." }

  let presentation: Presentation
  let waiting: Int

  init(_ presentation: Presentation, waiting: Int) { (self.presentation, self.waiting) = (presentation, waiting) }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    presentation = try f("presentation", \.presentation)
    waiting = try f("waiting", ifAbsent: 0, \.waiting, "Number of presentations waiting behind it.")
  }
}

package struct WithdrawEvent: StreamEvent {
  package static var eventName: String { "withdraw" }
  package static var about: String { "Take this down." }

  let id: PresentationID
  let generation: Int
  let reason: Presentation.Withdrawal

  init(id: PresentationID, generation: Int, reason: Presentation.Withdrawal) {
    (self.id, self.generation, self.reason) = (id, generation, reason)
  }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    id = try f("id", \.id)
    generation = try f("generation", ifAbsent: 0, \.generation)
    reason = try f("reason", \.reason)
  }
}

package struct QueueEvent: StreamEvent {
  package static var eventName: String { "queue" }
  package static var about: String { "The number of waiting presentations changed." }

  let waiting: Int

  init(waiting: Int) { self.waiting = waiting }

  package init(_ f: inout Fields<Self>) throws(JSONError) { waiting = try f("waiting", ifAbsent: 0, \.waiting) }
}

package struct ProgressEvent: StreamEvent {
  package static var eventName: String { "progress" }
  package static var about: String { "The requester has reported progress on the shown presentation." }

  let id: PresentationID
  let progress: PresentationProgress

  init(id: PresentationID, _ progress: PresentationProgress) { (self.id, self.progress) = (id, progress) }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    id = try f("id", \.id)
    progress = try f.inline(\.progress)
  }
}
