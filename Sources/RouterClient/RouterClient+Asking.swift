import NIOHTTP1
public import Router

extension RouterClient {
  /// Asks and waits for the outcome. Cancelling the task takes the presentation back by closing the connection.
  public func ask(_ request: PresentationRequest, idempotencyKey: String? = nil) async throws -> Presentation {
    try await presentation(asking(request, idempotencyKey: idempotencyKey))
  }

  /// Asks and waits for the outcome for at most `wait`, to the whole second; from then on the presentation is detached and
  /// outlives this process. Cancelling the task before then takes it back.
  ///
  /// - Returns: The presentation, resolved or as it stands.
  public func ask(
    _ request: PresentationRequest, waitingAtMost wait: Duration, idempotencyKey: String? = nil
  ) async throws -> Presentation {
    try await presentation(asking(request, prefer: "wait=\(wait.wholeSeconds)", idempotencyKey: idempotencyKey))
  }

  /// Asks and does not wait: the presentation outlives this process and the daemon.
  public func detach(_ request: PresentationRequest, idempotencyKey: String? = nil) async throws -> Presentation {
    try await presentation(asking(request, prefer: "respond-async", idempotencyKey: idempotencyKey))
  }

  /// One presentation.
  ///
  /// - Parameter wait: How long to wait for its outcome, to the whole second; it comes back as it stands then.
  public func presentation(_ id: PresentationID, wait: Duration? = nil) async throws -> Presentation {
    var call = HTTPCall(.GET, APIPath.presentation(id))
    if let wait { call.headers.add(name: "Prefer", value: "wait=\(wait.wholeSeconds)") }
    return try await presentation(call)
  }

  /// The open presentations, by surface, in the order in which they will be shown.
  ///
  /// - Parameter state: `queued` or `presented`; both where it is left out.
  public func presentations(
    surface: String? = nil, app: String? = nil, state: Presentation.State? = nil
  ) async throws -> [Presentation] {
    var found: [Presentation] = []
    var cursor: String?
    repeat {
      var query = QueryString(path: APIPath.presentations)
      query.add("surface", surface)
      query.add("app", app)
      query.add("state", state?.rawValue)
      query.add("cursor", cursor)
      let page = try await json(HTTPCall(.GET, query.text))
      do {
        for (index, element) in (page["presentations"]?.array ?? []).enumerated() {
          found.append(try Presentation(json: element, at: "/presentations/\(index)"))
        }
      } catch {
        throw http.misunderstood(error.description)
      }
      cursor = page["next"]?.string
    } while cursor != nil
    return found
  }

  /// Takes a presentation back.
  public func cancel(_ id: PresentationID) async throws -> Presentation {
    try await presentation(HTTPCall(.DELETE, APIPath.presentation(id)))
  }

  /// Ends a flow, or a screen of it, as answered with its last answer; what is stacked on it ends first.
  ///
  /// - Returns: The presentation, without a sensitive answer.
  /// - Throws: ``RouterError``: `notAnswered` if it has no answer yet, `impossible` if it is not part of a flow.
  public func finish(_ id: PresentationID) async throws -> Presentation {
    try await presentation(HTTPCall(.POST, APIPath.finish(id)))
  }
}
