import FoundationEssentials
import NIOCore
import NIOHTTP1
import Router

/// Decides what becomes of a request to the page: a file, a link that is opened, or a call for somebody who was let in.
struct WebDoor: Sendable {
  enum Way: Sendable {
    case response(Response)
    /// On to the API, as this peer.
    case api(Peer)
  }

  let links: WebLinks
  let key: WebKey
  /// How long a browser stays in.
  let sessionTime: Duration
  let page = WebPage()
  private let policy: WebPolicy

  init(links: WebLinks, key: WebKey, sessionTime: Duration) {
    self.links = links
    self.key = key
    self.sessionTime = sessionTime
    policy = WebPolicy(authorities: links.address.authorities)
  }

  /// - Parameter browser: The user at the other end of the connection, if the kernel tells.
  func way(of request: Request, from browser: UInt32?, now: Date = Date()) -> Way {
    let seconds = Int(now.timeIntervalSince1970)
    do {
      try policy.check(request)
    } catch {
      return .response(Self.refusal(error))
    }
    if let file = page.response(to: request) { return .response(file) }
    if let token = request.path.dropPrefix("/open/") {
      return .response(open(token, request.method, from: browser, now: seconds))
    }
    guard request.path.hasPrefix("/v1/") else {
      return .response(Response(.notFound, problem: "cannot find \(request.method) \(request.path.shortened)"))
    }
    guard let browser, let session = session(of: request, now: seconds), session.browser == browser else {
      return .response(Self.stranger)
    }
    return .api(session.peer)
  }

  /// Shows whom a link lets in (GET), and lets the browser in when the person has clicked (POST, from that page alone).
  ///
  /// Only a browser of the user for whom the link was made gets in. Others who learn the link can neither use it nor use it up.
  private func open(_ token: String, _ method: HTTPMethod, from browser: UInt32?, now: Int) -> Response {
    guard let peer = links.user(of: token) else {
      return Self.words(.gone, "This link was used already, or is older than five minutes. `routerctl web` prints a new one.")
    }
    let user = peer.process.userName ?? "uid \(peer.process.uid)"
    guard let browser, browser == peer.process.uid else {
      return Self.words(
        .forbidden, "This link is for a browser that runs as \(user). To open the page, run `routerctl web` as your own user.")
    }
    guard method == .POST else { return Self.question(user) }
    links.remove(token)
    let session = WebSession(peer: peer, browser: browser, end: now + Int(sessionTime.wholeSeconds))
    let cookie =
      "\(cookieName)=\(session.cookie(signedWith: key)); Path=/; Max-Age=\(sessionTime.wholeSeconds); HttpOnly; SameSite=Strict"
    return Response(.seeOther, ["Location": "/", "Set-Cookie": cookie, "Cache-Control": "no-store"])
  }

  /// Ports share their host's cookies, so the name has the port.
  private var cookieName: String { "routerd-\(links.address.port)" }

  private func session(of request: Request, now: Int) -> WebSession? {
    let cookies = request.headers["cookie"].flatMap { $0.split(separator: ";") }
    for cookie in cookies {
      let parts = cookie.split(separator: "=", maxSplits: 1).map { $0.trimmingWhiteSpace }
      guard parts.count == 2, parts[0] == cookieName else { continue }
      return WebSession(cookie: parts[1], signedWith: key, now: now)
    }
    return nil
  }

  private static func refusal(_ error: any Error) -> Response {
    Response(error as? RouterError ?? RouterError(.forbidden, "cannot let this in"))
  }

  /// Asks the person before the browser is let in: a link that somebody else has sent does nothing by itself.
  private static func question(_ user: String) -> Response {
    let name = user.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    let html = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Router</title>
      <link rel="stylesheet" href="/style.css">
      <main class="door">
      <h1>Open Router as \(name)?</h1>
      <p>This browser can then answer prompts and read the log as the user \(name).</p>
      <form method="post"><button class="primary" autofocus>Continue</button></form>
      </main>

      """
    var headers = WebPolicy.headers
    headers.replaceOrAdd(
      name: "Content-Security-Policy", value: "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'"
    )
    // The form's POST has an Origin only where it may have a referrer.
    headers.replaceOrAdd(name: "Referrer-Policy", value: "same-origin")
    headers.add(name: "Content-Type", value: "text/html; charset=utf-8")
    headers.add(name: "Cache-Control", value: "no-store")
    return Response(.ok, headers, body: ByteBuffer(string: html))
  }

  /// The answer to whoever has opened no link, or too long ago.
  private static var stranger: Response {
    var response = Response(.unauthorized, problem: "cannot let this browser in: open a link that routerctl web prints")
    // RFC 9110, section 11.6.1, wants it with each 401; the scheme is our own.
    response.headers.add(name: "WWW-Authenticate", value: "Link realm=\"routerd\"")
    return response
  }

  private static func words(_ status: HTTPResponseStatus, _ text: String) -> Response {
    Response(
      status, ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"],
      body: ByteBuffer(string: text + "\n"))
  }
}

extension String {
  fileprivate func dropPrefix(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
