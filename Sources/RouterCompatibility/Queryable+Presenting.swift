public import Router

extension Queryable {
  /// Creates queries that a sheet presents.
  ///
  /// - Parameter onDismiss: Called once when the sheet of a query has ended, however it ended.
  public convenience init<S: Sheet>(
    conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue, sheet: @escaping @Sendable (Input) -> S,
    onDismiss: (@Sendable () async -> Void)? = nil
  ) where S.Answer == Answer {
    self.init(conflictPolicy: conflictPolicy, presentation: .broker({ PresentationRequest.Typed(sheet($0)) }, onDismiss))
  }

  /// Creates queries that a sheet without an answer presents: `query` returns when the person has closed it.
  public convenience init<S: Sheet>(
    conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue, sheet: @escaping @Sendable (Input) -> S,
    onDismiss: (@Sendable () async -> Void)? = nil
  ) where S.Answer == Never, Answer == Void {
    self.init(
      conflictPolicy: conflictPolicy, presentation: .broker({ PresentationRequest.Typed(closing: sheet($0)) }, onDismiss))
  }

  /// Creates queries that a full-screen cover presents.
  public convenience init<S: Sheet>(
    conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue, fullScreenCover: @escaping @Sendable (Input) -> S,
    onDismiss: (@Sendable () async -> Void)? = nil
  ) where S.Answer == Answer {
    self.init(
      conflictPolicy: conflictPolicy,
      presentation: .broker({ PresentationRequest.Typed(fullScreenCover($0), as: .fullScreenCover) }, onDismiss))
  }

  /// Creates queries that an alert presents. The answer is the button's action; a button without one dismisses.
  public convenience init(
    conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue, alert: @escaping @Sendable (Input) -> AlertState<Answer>
  ) {
    self.init(conflictPolicy: conflictPolicy, presentation: .broker({ PresentationRequest.Typed(alert($0)) }, nil))
  }

  /// Creates queries that a confirmation dialog presents. The answer is the button's action; a button without one dismisses.
  public convenience init(
    conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue,
    confirmationDialog: @escaping @Sendable (Input) -> ConfirmationDialogState<Answer>
  ) {
    self.init(
      conflictPolicy: conflictPolicy,
      presentation: .broker({ PresentationRequest.Typed(confirmationDialog($0)) }, nil))
  }

  /// Creates queries that a closure presents, one at a time. Its task is canceled if the query ends in another way.
  ///
  /// - Parameter present: Answers with the resolver, or keeps it to answer later. `query` rethrows its errors.
  public convenience init(
    conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue,
    present: @escaping @Sendable (Input, QueryResolver<Answer>) async throws -> Void
  ) {
    self.init(conflictPolicy: conflictPolicy, presentation: .closure(present))
  }

  /// Creates queries that a reader of ``queries`` presents. A query waits for a reader.
  public convenience init(conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue) {
    self.init(conflictPolicy: conflictPolicy, presentation: .readers)
  }
}

enum QueryPresentation<Input: Sendable, Answer: Sendable>: Sendable {
  case broker(@Sendable (Input) -> PresentationRequest.Typed<Answer>, _ onDismiss: (@Sendable () async -> Void)?)
  case closure(@Sendable (Input, QueryResolver<Answer>) async throws -> Void)
  case readers
}
