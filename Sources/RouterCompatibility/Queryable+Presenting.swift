public import Router

extension Queryable {
  /// Creates queries presented by a sheet.
  ///
  /// - Parameter onDismiss: Called once when the sheet of a query has ended, with any outcome.
  public convenience init<S: Sheet>(
    conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue, sheet: @escaping @Sendable (Input) -> S,
    onDismiss: (@Sendable () async -> Void)? = nil
  ) where S.Answer == Answer {
    self.init(conflictPolicy: conflictPolicy, presentation: .broker({ PresentationRequest.Typed(sheet($0)) }, onDismiss))
  }

  /// Creates queries presented by a sheet without an answer: `query` returns when the person has closed it.
  public convenience init<S: Sheet>(
    conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue, sheet: @escaping @Sendable (Input) -> S,
    onDismiss: (@Sendable () async -> Void)? = nil
  ) where S.Answer == Never, Answer == Void {
    self.init(
      conflictPolicy: conflictPolicy, presentation: .broker({ PresentationRequest.Typed(closing: sheet($0)) }, onDismiss))
  }

  /// Creates queries presented by a full-screen cover.
  public convenience init<S: Sheet>(
    conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue, fullScreenCover: @escaping @Sendable (Input) -> S,
    onDismiss: (@Sendable () async -> Void)? = nil
  ) where S.Answer == Answer {
    self.init(
      conflictPolicy: conflictPolicy,
      presentation: .broker({ PresentationRequest.Typed(fullScreenCover($0), as: .fullScreenCover) }, onDismiss))
  }

  /// Creates queries presented by an alert. The answer is the button's action; a button without an action dismisses the alert.
  public convenience init(
    conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue, alert: @escaping @Sendable (Input) -> AlertState<Answer>
  ) {
    self.init(conflictPolicy: conflictPolicy, presentation: .broker({ PresentationRequest.Typed(alert($0)) }, nil))
  }

  /// Creates queries presented by a confirmation dialog. The answer is the button's action; a button without an action
  /// dismisses the dialog.
  public convenience init(
    conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue,
    confirmationDialog: @escaping @Sendable (Input) -> ConfirmationDialogState<Answer>
  ) {
    self.init(
      conflictPolicy: conflictPolicy,
      presentation: .broker({ PresentationRequest.Typed(confirmationDialog($0)) }, nil))
  }

  /// Creates queries presented by a closure, one at a time. The closure's task is canceled if the query ends in another way.
  ///
  /// - Parameter present: Answers with the resolver, or keeps it to answer later. `query` rethrows its errors.
  public convenience init(
    conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue,
    present: @escaping @Sendable (Input, QueryResolver<Answer>) async throws -> Void
  ) {
    self.init(conflictPolicy: conflictPolicy, presentation: .closure(present))
  }

  /// Creates queries presented by a reader of ``queries``. A query waits for a reader.
  public convenience init(conflictPolicy: PresentationOptions.ConflictPolicy = .enqueue) {
    self.init(conflictPolicy: conflictPolicy, presentation: .readers)
  }
}

enum QueryPresentation<Input: Sendable, Answer: Sendable>: Sendable {
  case broker(@Sendable (Input) -> PresentationRequest.Typed<Answer>, _ onDismiss: (@Sendable () async -> Void)?)
  case closure(@Sendable (Input, QueryResolver<Answer>) async throws -> Void)
  case readers
}
