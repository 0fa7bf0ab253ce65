import Hummingbird
import Router

/// How a request ends: what its response waits for, and what is done once that has been written.
final class RequestEnding: Sendable {
  typealias Later = @Sendable () async throws -> Response

  private let state = Mutex<(later: Later?, written: (@Sendable () -> Void)?)>((nil, nil))

  /// Has the response made by this, in place of what the handler returns, when the handler's task has ended: one that waits for a
  /// person keeps what it and all its callers have used of their memory.
  func wait(_ later: @escaping Later) -> Response {
    state.withLock { $0.later = later }
    return Response(status: .ok)
  }

  /// Has something done once the response has been written; not if that fails. Unlike the end of a body that is written piece by
  /// piece, it lets the response go out in one piece.
  func afterWriting(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.written = body }
  }

  /// What makes the response, if the handler waits.
  var later: Later? { state.withLock(\.later) }

  /// The response was written.
  func written() { state.withLock(\.written)?() }
}
