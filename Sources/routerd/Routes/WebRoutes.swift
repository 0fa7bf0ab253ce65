import NIOCore
import NIOHTTP1
import Router

/// The route that creates links to the page: `/v1/web`.
struct WebRoutes: Sendable {
  /// The links; `nil` without a page.
  let links: WebLinks?
  let coordinator: PresentationCoordinator
  let configuration: LiveConfiguration
  let accessControl: AccessControl
  let names: UserNames

  /// `POST /v1/web/link`
  @Sendable func link(_ call: Call) async throws -> Response? {
    guard let links else {
      throw RouterError(
        .notFound, "cannot create a link: the daemon serves no page. Set web.address; if it is set, see the daemon's log")
    }
    let user = try await user(call)
    // Looks the user's name up early, for the page to show when the link is opened.
    names.name(of: user.process.uid)
    return Response(
      WebLink(url: links.link(for: user, madeBy: call.peer.uid), lifetime: WebLinks.lifetime),
      headers: ["Cache-Control": "no-store"])
  }

  /// Returns the user of the link: the caller, or another user if an administrator names one, which is recorded.
  private func user(_ call: Call) async throws -> Peer {
    let body: WebLinkBody
    do {
      body = try WebLinkBody(json: try call.request.json(isOptional: true))
    } catch let error as JSONError {
      throw RouterError(error)
    }
    guard let name = body.user else { return call.connected }
    let uid = call.peer.uid
    if UInt32(name) == uid { return call.connected }
    // The page gives access to users whom the socket's mode and group exclude, so only an administrator may create a link for
    // them. Other callers cannot even trigger the lookup.
    guard call.isAdmin else {
      if try await names.find(uid, on: call.exchange.loop).get() == name { return call.connected }
      accessControl.deny(call, because: "a link for another user needs the role admin")
      throw RouterError(.forbidden, "cannot create a link for another user: this needs the role admin")
    }
    let user: Peer
    do {
      user = try await names.run { try Peer(account: name) }
    } catch let error as RouterError {
      throw RouterError(.invalid, "cannot create a link: \(error.message)")
    }
    guard user.process.uid != uid else { return call.connected }
    guard !configuration.roles(of: user).isDisjoint(with: [.present, .audit]) else {
      throw RouterError(
        .impossible, "cannot create a link for uid \(user.process.uid): this user has neither the role present nor audit")
    }
    try await coordinator.recordPageLink(for: user.process.uid, by: call.peer)
    return user
  }
}
