package import Router

extension RouterClient {
  /// Returns every surface in use, with its stack, queue length, presenters and paused sessions.
  package func surfaces() async throws -> [SurfaceState] {
    try await once { try await (reply(to: HTTPCall(.GET, APIPath.surfaces)) as SurfaceList).surfaces }
  }

  /// Returns the daemon's version, uptime and state.
  package func status() async throws -> DaemonStatus {
    try await once { try await reply(to: HTTPCall(.GET, APIPath.status)) }
  }

  /// Returns whether Router is on, as recorded.
  package func switched() async throws -> Switch {
    do {
      return try await once { try await reply(to: HTTPCall(.GET, APIPath.switched)) }
    } catch let error as RouterError where error.code == .notFound {
      // 0.1.0 has no switch.
      return .on
    }
  }

  /// Switches Router off or on, which requires the role `admin`. Off, nothing is shown, and front ends act as if Router were not
  /// installed.
  ///
  /// - Parameter duration: How long it stays off, up to a day (default: a day).
  package func turn(off: Bool, for duration: Duration? = nil) async throws -> Switch {
    let call = HTTPCall(.PUT, APIPath.switched, json: SwitchBody(isOff: off, duration: duration).jsonText)
    return try await once { try await reply(to: call) }
  }

  /// Checks that the daemon is ready. Throws ``RouterError`` if the daemon is not ready or cannot be reached.
  public func checkHealth() async throws {
    if let error = try await http.reply(to: HTTPCall(.GET, APIPath.health)).error { throw error }
  }

  /// Returns the display text of an open presentation, and the time until it expires.
  package func prompt(of id: PresentationID) async throws -> PromptReply {
    try await once { try await reply(to: HTTPCall(.GET, APIPath.prompt(id))) }
  }

  /// Creates a link that gives one browser access to the page, once and within its lifetime.
  ///
  /// - Parameter user: The name or uid of the user whose browser may open it (default: your own user). For another user, the
  ///   call requires the role `admin`, and the link is recorded.
  /// - Throws: ``RouterError`` with `notFound` if the daemon serves no page.
  package func webLink(for user: String? = nil) async throws -> WebLink {
    let call = HTTPCall(.POST, APIPath.webLink, json: WebLinkBody(user: user).jsonText)
    return try await once { try await reply(to: call) }
  }
}
