extension Queryable {
  /// Queries that a sheet presents.
  public convenience init<S: Sheet>(
    conflictPolicy: ConflictPolicy = .enqueue, sheet: @escaping @Sendable (Input) -> S
  ) where S.Answer == Answer {
    self.init(conflictPolicy: conflictPolicy, presentation: .broker { try QueryRequest(sheet($0), as: .sheet) })
  }

  /// Queries that a sheet without an answer presents: `query` returns when the person has closed it.
  public convenience init<S: Sheet>(
    conflictPolicy: ConflictPolicy = .enqueue, sheet: @escaping @Sendable (Input) -> S
  ) where S.Answer == Never, Answer == Void {
    self.init(conflictPolicy: conflictPolicy, presentation: .broker { try QueryRequest(closing: sheet($0), as: .sheet) })
  }

  /// Queries that a full-screen cover presents.
  public convenience init<S: Sheet>(
    conflictPolicy: ConflictPolicy = .enqueue, fullScreenCover: @escaping @Sendable (Input) -> S
  ) where S.Answer == Answer {
    self.init(
      conflictPolicy: conflictPolicy, presentation: .broker { try QueryRequest(fullScreenCover($0), as: .fullScreenCover) })
  }

  /// Queries that an alert presents. The answer is the button's action; a button without one dismisses.
  public convenience init(
    conflictPolicy: ConflictPolicy = .enqueue, alert: @escaping @Sendable (Input) -> AlertState<Answer>
  ) {
    self.init(
      conflictPolicy: conflictPolicy,
      presentation: .broker { input in
        let alert = alert(input)
        return QueryRequest(what: "the alert", request: alert.request, read: alert.buttons.action)
      })
  }

  /// Queries that a confirmation dialog presents. The answer is the button's action; a button without one dismisses.
  public convenience init(
    conflictPolicy: ConflictPolicy = .enqueue,
    confirmationDialog: @escaping @Sendable (Input) -> ConfirmationDialogState<Answer>
  ) {
    self.init(
      conflictPolicy: conflictPolicy,
      presentation: .broker { input in
        let dialog = confirmationDialog(input)
        return QueryRequest(
          what: "the confirmation dialog", request: dialog.request, read: dialog.buttons.action)
      })
  }

  /// Queries that a closure presents, one at a time.
  ///
  /// The closure's task is canceled when the query has ended otherwise. The next query's closure starts when it has returned.
  ///
  /// - Parameter present: Answers with the resolver, or keeps it to answer later. What it throws, `query` throws.
  public convenience init(
    conflictPolicy: ConflictPolicy = .enqueue,
    present: @escaping @Sendable (Input, QueryResolver<Answer>) async throws -> Void
  ) {
    self.init(conflictPolicy: conflictPolicy, presentation: .closure(present))
  }

  /// Queries that a reader of ``queries`` presents. A query waits for a reader.
  public convenience init(conflictPolicy: ConflictPolicy = .enqueue) {
    self.init(conflictPolicy: conflictPolicy, presentation: .readers)
  }
}

enum QueryPresentation<Input: Sendable, Answer: Sendable>: Sendable {
  case broker(@Sendable (Input) throws -> QueryRequest<Answer>)
  case closure(@Sendable (Input, QueryResolver<Answer>) async throws -> Void)
  case readers
}

struct QueryRequest<Answer: Sendable>: Sendable {
  let what: String
  let request: PresentationRequest
  /// The answer when a person closes it, if that is one.
  var closed: Answer?
  /// Reads an answer; `nil` is a dismissal.
  let read: @Sendable (PresentationAnswer) throws -> Answer?
}

extension QueryRequest {
  init<S: Sheet>(_ sheet: S, as kind: PresentationKind) throws where S.Answer == Answer {
    let what = "the sheet \(sheet.sheetName)"
    try self.init(what: what, request: PresentationRequest(sheet, as: kind)) { try sheet.answer(from: $0, calledBy: what) }
  }

  /// A sheet without an answer: to close it is one, and so is to answer it.
  init<S: Sheet>(closing sheet: S, as kind: PresentationKind) throws where S.Answer == Never, Answer == Void {
    try self.init(what: "the sheet \(sheet.sheetName)", request: PresentationRequest(sheet, as: kind), closed: ()) { _ in }
  }
}
