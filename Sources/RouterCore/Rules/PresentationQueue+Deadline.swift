extension PresentationQueue {
  /// A time at which a presentation is due. Ties are broken by the order of request.
  struct Deadline: Comparable, Sendable {
    let time: Duration
    let id: PresentationID

    package init(_ time: Duration, _ id: PresentationID) {
      self.time = time
      self.id = id
    }

    static func < (left: Deadline, right: Deadline) -> Bool {
      (left.time, left.id) < (right.time, right.id)
    }
  }
}
