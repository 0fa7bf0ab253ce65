/// The prompts of a surface that a presenter shows, and the delay before it shows them.
package struct PresenterScope: Sendable, Hashable {
  /// The only presentation to show, which must belong to the same user; `nil` for all.
  package var only: PresentationID?
  /// The delay after the first showing elsewhere; `nil` to show prompts immediately.
  package var after: Duration?
  /// The minimum priority to show; `nil` for every priority.
  package var priority: PresentationOptions.Priority?

  package init(
    only: PresentationID? = nil, after: Duration? = nil, priority: PresentationOptions.Priority? = nil
  ) {
    (self.only, self.after, self.priority) = (only, after, priority)
  }

  /// The last lane with prompts to show.
  var lane: Int { priority?.lane ?? PresentationPlace.laneCount - 1 }

  /// Whether the presenter shows another program's presentation as soon as it reaches the head of the queue.
  package func shows(_ presentation: Presentation) -> Bool { only == nil && after == nil && includes(presentation) }

  /// Whether the scope includes a presentation, possibly after a delay.
  package func includes(_ presentation: Presentation) -> Bool {
    (only == nil || only == presentation.id) && presentation.request.priority.lane <= lane
  }
}

extension PresenterScope: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    only = try f("only", \.only, "The only presentation that it shows.")
    after = try f(
      "after", \.after, "The delay in seconds after the first showing elsewhere. Absent for none.",
      ["type": "integer", "minimum": 1, "maximum": 86_400])
    priority = try f("priority", \.priority, "The lowest priority that it shows. Absent for all.")
  }
}
