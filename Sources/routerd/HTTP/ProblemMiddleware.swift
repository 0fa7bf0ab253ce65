import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Router

/// Makes a problem of every error, and turns away what comes on a connection too many.
struct ProblemMiddleware: RouterMiddleware {
  typealias Context = PeerContext

  /// Which methods a path has.
  let methods: @Sendable (String) -> [HTTPRequest.Method]

  func handle(
    _ request: Request, context: PeerContext, next: (Request, PeerContext) async throws -> Response
  ) async throws -> Response {
    do {
      guard !context.isTurnedAway else { return turnedAway(context) }
      return try await next(request, context)
    } catch let error as HTTPError {
      return response(to: error, request)
    } catch {
      return Response(error, logger: context.logger)
    }
  }

  private func response(to error: HTTPError, _ request: Request) -> Response {
    let methods = error.status == .notFound ? methods(request.uri.path) : []
    if !methods.isEmpty { return notAllowed(request, methods) }
    let detail = error.body ?? "cannot find \(request.method) \(request.uri.path.shortened)"
    return Response(Problem(status: error.status.code, title: error.status.reasonPhrase, detail: detail))
  }

  /// RFC 9110, section 15.5.6.
  private func notAllowed(_ request: Request, _ methods: [HTTPRequest.Method]) -> Response {
    let allowed = methods.map(\.rawValue).joined(separator: ", ")
    let detail = "cannot \(request.method.rawValue.shortened) \(request.uri.path.shortened): it takes \(allowed)"
    var response = Response(Problem(status: 405, title: "Method Not Allowed", detail: detail))
    response.headers[.allow] = allowed
    return response
  }

  private func turnedAway(_ context: PeerContext) -> Response {
    let detail = "cannot take another connection: uid \(context.peer.uid) or the daemon has as many open as are allowed"
    let problem = Problem(status: 429, title: "Too Many Requests", detail: detail)
    var response = Response(problem, retryAfter: .seconds(1))
    response.headers[.connection] = "close"
    return response
  }
}

extension Response {
  /// What a handler's error comes to.
  init(_ error: any Error, logger: Logger) {
    switch error {
    case let error as RouterError:
      self.init(error.problem(title: error.httpStatus.reasonPhrase), retryAfter: error.retryAfter)
    case let error as JSONError: self.init(RouterError(error), logger: logger)
    case let error as NIOTooManyBytesError:
      let detail = "cannot take the body: it has more than \(error.maxBytes ?? 0) bytes"
      self.init(Problem(status: 413, title: "Content Too Large", detail: detail))
    case is CancellationError:
      // The connection is gone; nobody reads this.
      self.init(RouterError(.shuttingDown, "cannot go on: the connection is gone"), logger: logger)
    default:
      logger.error("a handler failed", metadata: ["error": "\(error)"])
      let detail = "cannot answer: an error of the daemon's own, which is in its log"
      self.init(Problem(status: 500, title: "Internal Server Error", detail: detail))
    }
  }
}
