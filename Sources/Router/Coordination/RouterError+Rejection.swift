extension RouterError {
  /// Why something could not be done to a presentation.
  ///
  /// - Parameter outcome: How it ended, where the record knows.
  init(_ rejection: PresentationRejection, id: PresentationID, outcome: PresentationOutcome? = nil) {
    switch rejection {
    case .notOpen:
      if let outcome {
        self.init(.resolved, "cannot change \(id): it has ended (\(outcome.name.rawValue))", outcome: outcome)
      } else {
        self.init(.notFound, "cannot find the presentation \(id)")
      }
    case .notPresented: self.init(.notPresented, "cannot act on \(id): it is still queued")
    case .covered: self.init(.covered, "cannot act on \(id): something is stacked on it")
    case .staleGeneration(let generation):
      self.init(.staleGeneration, "cannot act on \(id): it was put up again since; this is generation \(generation)")
    case .notFlow: self.init(.impossible, "cannot finish \(id): it is not part of a flow")
    case .notAnswered: self.init(.notAnswered, "cannot finish \(id): it has no answer yet")
    case .unknownParent, .stackedTooDeep, .parentIsNoFlow, .full: self.init(rejection)
    }
  }

  /// Why a request was not accepted.
  init(_ rejection: PresentationRejection) {
    switch rejection {
    case .unknownParent:
      self.init(
        .impossible, "cannot stack: /over must be an open presentation of the same user on the same surface",
        field: "/over")
    case .stackedTooDeep:
      self.init(.impossible, "cannot stack: what /over names is stacked as deep as is allowed", field: "/over")
    case .parentIsNoFlow:
      self.init(.impossible, "cannot stack a flow's screen: what /over names is not part of a flow", field: "/over")
    case .full(let scope):
      let subject =
        switch scope {
        case .surface: "the surface"
        case .user: "the user"
        case .total: "the queue"
        }
      self.init(.full, "cannot take the request: \(subject) has as many open as are allowed", retryAfter: .seconds(1))
    case .notOpen, .notPresented, .covered, .staleGeneration, .notFlow, .notAnswered:
      preconditionFailure("a request cannot be rejected as \(rejection)")
    }
  }
}
