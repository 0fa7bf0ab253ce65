/// Which prompts of a surface a presenter is for, and from when.
package struct PresenterScope: Sendable, Hashable {
  /// The one presentation that it may show, its own user's; `nil` for all.
  package var only: PresentationID?
  /// How long a prompt has been shown before it is shown here too; `nil` for at once.
  package var after: Duration?
  /// The priority below which it shows nothing; `nil` to show everything.
  package var priority: PresentationOptions.Priority?

  package init(
    only: PresentationID? = nil, after: Duration? = nil, priority: PresentationOptions.Priority? = nil
  ) {
    (self.only, self.after, self.priority) = (only, after, priority)
  }

  /// The last lane of prompts that it shows.
  var lane: Int { priority?.lane ?? PresentationPlace.laneCount - 1 }

  /// Whether a presentation that another program asks for is shown at once when it is its turn.
  package func shows(_ presentation: Presentation) -> Bool { only == nil && after == nil && includes(presentation) }

  /// Whether it includes a presentation, at some time.
  package func includes(_ presentation: Presentation) -> Bool {
    (only == nil || only == presentation.id) && presentation.request.priority.lane <= lane
  }
}

extension PresenterScope: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    only = try f("only", \.only, "The only presentation that it shows.")
    after = try f(
      "after", \.after, "The seconds for which a prompt is shown before it is shown here. Absent for at once.",
      ["type": "integer", "minimum": 1, "maximum": 86_400])
    priority = try f("priority", \.priority, "The lowest priority that it shows. Absent for all.")
  }
}
