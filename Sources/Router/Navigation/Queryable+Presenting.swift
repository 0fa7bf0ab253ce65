extension Queryable {
  // MARK: By way of the broker of whoever queries

  /// Queries that a sheet puts before the person.
  ///
  /// - Parameters:
  ///   - conflictPolicy: What happens to a query that finds its place on the surface taken.
  ///   - sheet: Makes the sheet of what is asked with.
  public convenience init<S: Sheet>(
    conflictPolicy: ConflictPolicy = .enqueue, sheet: @escaping @Sendable (Input) -> S
  ) where S.Answer == Answer {
    self.init(conflictPolicy: conflictPolicy, presentation: .broker { try QueryRequest(sheet($0), as: .sheet) })
  }

  /// Queries that a sheet without an answer puts before the person: `query` returns when the person has closed it.
  ///
  /// - Parameters:
  ///   - conflictPolicy: What happens to a query that finds its place on the surface taken.
  ///   - sheet: Makes the sheet of what is asked with.
  public convenience init<S: Sheet>(
    conflictPolicy: ConflictPolicy = .enqueue, sheet: @escaping @Sendable (Input) -> S
  ) where S.Answer == Never, Answer == Void {
    self.init(conflictPolicy: conflictPolicy, presentation: .broker { try QueryRequest(closing: sheet($0), as: .sheet) })
  }

  /// Queries that a full-screen cover puts before the person.
  ///
  /// - Parameters:
  ///   - conflictPolicy: What happens to a query that finds its place on the surface taken.
  ///   - fullScreenCover: Makes the cover of what is asked with.
  public convenience init<S: Sheet>(
    conflictPolicy: ConflictPolicy = .enqueue, fullScreenCover: @escaping @Sendable (Input) -> S
  ) where S.Answer == Answer {
    self.init(
      conflictPolicy: conflictPolicy, presentation: .broker { try QueryRequest(fullScreenCover($0), as: .fullScreenCover) })
  }

  /// Queries that an alert puts before the person. The answer is the button's action; a button without one is a dismissal.
  ///
  /// - Parameters:
  ///   - conflictPolicy: What happens to a query that finds its place on the surface taken.
  ///   - alert: Makes the alert of what is asked with.
  public convenience init(
    conflictPolicy: ConflictPolicy = .enqueue, alert: @escaping @Sendable (Input) -> AlertState<Answer>
  ) {
    self.init(
      conflictPolicy: conflictPolicy,
      presentation: .broker { input in
        let alert = alert(input)
        return QueryRequest(what: "the alert", PresentationRequest(alert), read: alert.buttons.action)
      })
  }

  /// Queries that a confirmation dialog puts before the person. The answer is the button's action; a button without one is a
  /// dismissal.
  ///
  /// - Parameters:
  ///   - conflictPolicy: What happens to a query that finds its place on the surface taken.
  ///   - confirmationDialog: Makes the dialog of what is asked with.
  public convenience init(
    conflictPolicy: ConflictPolicy = .enqueue,
    confirmationDialog: @escaping @Sendable (Input) -> ConfirmationDialogState<Answer>
  ) {
    self.init(
      conflictPolicy: conflictPolicy,
      presentation: .broker { input in
        let dialog = confirmationDialog(input)
        return QueryRequest(what: "the confirmation dialog", PresentationRequest(dialog), read: dialog.buttons.action)
      })
  }

  // MARK: In this process

  /// Queries that a closure presents, one at a time: it shows what was asked with, somehow, and answers.
  ///
  /// Its task is cancelled when the query has ended otherwise. The next query's closure starts when it has returned.
  ///
  /// - Parameters:
  ///   - conflictPolicy: What happens to a query that comes while another one is open.
  ///   - present: Answers with the resolver, or keeps that to answer later. What it throws, `query` throws.
  public convenience init(
    conflictPolicy: ConflictPolicy = .enqueue,
    present: @escaping @Sendable (Input, QueryResolver<Answer>) async throws -> Void
  ) {
    self.init(conflictPolicy: conflictPolicy, presentation: .closure(present))
  }

  /// Queries that whoever reads ``queries`` presents. A query waits until somebody does.
  ///
  /// - Parameter conflictPolicy: What happens to a query that comes while another one is open.
  public convenience init(conflictPolicy: ConflictPolicy = .enqueue) {
    self.init(conflictPolicy: conflictPolicy, presentation: .readers)
  }
}

/// Who puts an object's queries before the person.
enum QueryPresentation<Input: Sendable, Answer: Sendable>: Sendable {
  case broker(@Sendable (Input) throws -> QueryRequest<Answer>)
  case closure(@Sendable (Input, QueryResolver<Answer>) async throws -> Void)
  case readers
}

/// A query as a broker takes it.
struct QueryRequest<Answer: Sendable>: Sendable {
  /// What an error calls it.
  let what: String
  let request: PresentationRequest
  /// What it returns when a person closes it; `nil` where that is no answer.
  let closed: Answer?
  /// Reads an answer; `nil` is a dismissal.
  let read: @Sendable (PresentationAnswer) throws -> Answer?

  init(
    what: String, _ request: PresentationRequest, closed: Answer? = nil,
    read: @escaping @Sendable (PresentationAnswer) throws -> Answer?
  ) {
    self.what = what
    self.request = request
    self.closed = closed
    self.read = read
  }

  init<S: Sheet>(_ sheet: S, as kind: PresentationKind) throws where S.Answer == Answer {
    let what = "the sheet \(sheet.sheetName)"
    try self.init(what: what, PresentationRequest(sheet, as: kind)) { try sheet.answer(from: $0, calledBy: what) }
  }

  /// A sheet without an answer: to close it is one, and so is to answer it.
  init<S: Sheet>(closing sheet: S, as kind: PresentationKind) throws where S.Answer == Never, Answer == Void {
    try self.init(what: "the sheet \(sheet.sheetName)", PresentationRequest(sheet, as: kind), closed: ()) { _ in }
  }
}
