public import Router

/// The error of a query without an answer, under Queryable's name.
@available(*, deprecated, renamed: "NoAnswer")
public typealias QueryCancellationError = NoAnswer

/// The conflict policies under Queryable's names.
extension PresentationOptions.ConflictPolicy {
  @available(*, deprecated, renamed: "cancelPrevious")
  public static var cancelPreviousQuery: Self { .cancelPrevious }

  @available(*, deprecated, renamed: "cancelNew")
  public static var cancelNewQuery: Self { .cancelNew }
}
