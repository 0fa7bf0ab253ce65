/// An error of Router. Its text reads "cannot …" and is meant for people.
public struct RouterError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// A field is invalid; `field` names it. HTTP 400.
    case invalid
    /// The request is well formed but cannot be fulfilled. HTTP 422.
    case impossible
    /// There is no such presentation, or the caller may not see it. HTTP 404.
    case notFound
    /// The presentation has ended; `outcome` says how. HTTP 409.
    case resolved
    /// The presentation is still queued. HTTP 409.
    case notPresented
    /// The presentation is covered by another one. HTTP 409.
    case covered
    /// The presentation has been shown again with a newer generation. HTTP 409.
    case staleGeneration
    /// This user has already answered; someone else must answer. HTTP 409.
    case approved
    /// The flow to finish has no answer yet. HTTP 409.
    case notAnswered
    /// The caller may not do this. HTTP 403.
    case forbidden
    /// A queue is full. HTTP 429.
    case full
    /// The log cannot be written; nothing has changed. HTTP 503.
    case logUnavailable
    /// The kernel refuses a needed resource, such as another thread. HTTP 503.
    case unavailable
    /// The coordinator or the daemon is shutting down. HTTP 503.
    case shuttingDown
    /// The environment lacks a broker, or a presentation to dismiss.
    case notInjected
    /// The daemon cannot be reached, or its response cannot be understood.
    case unreachable
    /// The database cannot be opened, read or written.
    case database
  }

  public var code: Code
  public var message: String
  /// A JSON Pointer to the invalid field.
  public var field: String?
  /// The outcome of the presentation, with the code `resolved`.
  public var outcome: PresentationOutcome?
  /// The delay before the next attempt.
  public var retryAfter: Duration?
  /// The underlying error.
  public var cause: (any Error)?

  public init(
    _ code: Code, _ message: String, field: String? = nil, outcome: PresentationOutcome? = nil,
    retryAfter: Duration? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.field = field
    self.outcome = outcome
    self.retryAfter = retryAfter
    self.cause = cause
  }

  /// Creates an error for an invalid field of a request body.
  package init(_ error: JSONError, code: Code = .invalid) {
    let place = error.pointer.isEmpty ? "the body" : error.pointer.escapedForTerminal()
    self.init(code, "cannot accept \(place): \(error.message)", field: error.pointer.isEmpty ? nil : error.pointer)
  }

  public var description: String { cause.map { "\(message) (\($0))" } ?? message }

  /// The same as ``description``, for uncaught errors.
  public var debugDescription: String { description }
}
