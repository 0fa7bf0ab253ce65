import NIOHTTP1
import Router

/// The daemon, as a ``PresentationBroker`` and as typed calls of its API.
///
/// Every call is one connection to the daemon's socket, open as long as the call: cancelling the task that waits closes it.
/// Calls throw ``RouterError`` with the daemon's own reason, or with the code `unreachable` where there is no daemon, and
/// `CancellationError` if the task is cancelled.
public struct RouterClient: Sendable {
  /// The path of the daemon's socket.
  public let socketPath: String
  /// The name that requests go by unless they have one of their own; without it, the daemon takes the executable's.
  public let app: String?

  let mailbox = RequestMailbox()
  /// Runs dismiss callbacks in the order in which this client learns that their presentations have ended.
  let callbacks = CallbackRunner()

  public init(socketPath: String = RouterClient.defaultSocketPath(), app: String? = nil) {
    self.socketPath = socketPath
    self.app = app
  }

  var http: UnixSocketHTTP { UnixSocketHTTP(path: socketPath) }

  /// Makes a call and reads its JSON.
  func json(_ call: HTTPCall) async throws -> JSONValue {
    let reply = try await http.reply(to: call)
    if let error = reply.error { throw error }
    do {
      return try JSONValue(parsing: reply.body, maximumDepth: JSONValue.maximumWrappedDepth)
    } catch {
      throw http.misunderstood(error.description)
    }
  }

  /// Makes a call and reads the presentation that comes back.
  func presentation(_ call: HTTPCall) async throws -> Presentation {
    let json = try await json(call)
    do {
      return try Presentation(json: json)
    } catch {
      throw http.misunderstood(error.description)
    }
  }

  /// The call that asks.
  func asking(_ request: PresentationRequest, prefer: String? = nil, idempotencyKey: String?) -> HTTPCall {
    var request = request
    request.app = request.app ?? app
    var headers: HTTPHeaders = [:]
    if let prefer { headers.add(name: "Prefer", value: prefer) }
    if let idempotencyKey { headers.add(name: "Idempotency-Key", value: idempotencyKey) }
    return HTTPCall(.POST, APIPath.presentations, headers: headers, json: request.json)
  }
}
