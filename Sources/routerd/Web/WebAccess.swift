import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import Router

/// Handles a request to the page: serves a file, opens a login link, or passes an API call on for a logged-in user.
struct WebAccess: Sendable {
  enum Decision: Sendable {
    case response(Response)
    /// Pass the request to the API on behalf of this peer.
    case api(Peer)
  }

  let links: WebLinks
  let key: WebKey
  /// The session length.
  let sessionTime: Duration
  let names: UserNames
  let page = WebPage()
  private let policy: WebPolicy

  init(links: WebLinks, key: WebKey, sessionTime: Duration, names: UserNames) {
    self.links = links
    self.key = key
    self.sessionTime = sessionTime
    self.names = names
    policy = WebPolicy(authorities: links.address.authorities)
  }

  /// - Parameter browser: The other end of the connection; `nil` if the kernel does not report its owner.
  func decision(on request: Request, from browser: LoopbackOwner?, now: Date = Date()) -> Decision {
    let seconds = Int(now.timeIntervalSince1970)
    do {
      try policy.check(request)
    } catch {
      return .response(Self.refusal(error))
    }
    if let file = page.response(to: request) { return .response(file) }
    if let token = request.path.rest(after: "/open/").map({ String($0) }) {
      return .response(open(token, request.method, from: browser, now: seconds))
    }
    guard request.path.begins(with: "/v1/") else {
      return .response(Self.page(.notFound, "Page not found", "Router's page is at <a href=\"/\">/</a>."))
    }
    guard let browser, let session = session(of: request, now: seconds), session.browser == browser.uid else {
      return .response(Self.notLoggedIn)
    }
    return .api(session.peer)
  }

  /// Shows the user of a login link (GET), and logs the browser in after a click (POST, only from that page).
  ///
  /// Only a browser of the link's user can log in. Other users can neither use the link nor invalidate it.
  private func open(_ token: String, _ method: HTTPMethod, from browser: LoopbackOwner?, now: Int) -> Response {
    guard let peer = links.user(of: token) else {
      return Self.page(
        .gone, "Link expired or already used",
        """
        A link works once, within five minutes. If this browser has opened it before, <a href="/">continue to the page</a>. For a
        new link, run <code>routerctl web --open</code> in a terminal.
        """)
    }
    let user = names.name(of: peer.process.uid) ?? "uid \(peer.process.uid)"
    guard let browser, browser.uid == peer.process.uid else {
      return Self.page(
        .forbidden, "This link is for another user",
        "Only a browser that runs as \(user.asHTML) can open it. Run <code>routerctl web --open</code> as your own user.")
    }
    guard method == .POST else { return Self.question(user) }
    links.remove(token)
    let session = WebSession(
      peer: Self.peer(of: browser, for: peer), browser: browser.uid, end: now + Int(sessionTime.wholeSeconds))
    let cookie =
      "\(cookieName)=\(session.cookie(signedWith: key)); Path=/; Max-Age=\(sessionTime.wholeSeconds); HttpOnly; SameSite=Strict"
    return Response(.seeOther, ["Location": "/", "Set-Cookie": cookie, "Cache-Control": "no-store"])
  }

  /// Returns the peer of a new session: the browser's process, rather than the program that requested the link, such as an agent's MCP
  /// server. A process that hides from its own user's daemon could be any, such as an agent's: then, the process is unknown. A daemon
  /// of another user sees no processes, and the session acts as the program that requested the link.
  private static func peer(of browser: LoopbackOwner, for user: Peer) -> Peer {
    let seesProcesses = geteuid() == 0 || geteuid() == browser.uid
    return seesProcesses ? user.acting(as: browser.process ?? 0) : user
  }

  /// Browsers share cookies between the ports of a host, so the name contains the port.
  private var cookieName: String { "routerd-\(links.address.port)" }

  private func session(of request: Request, now: Int) -> WebSession? {
    let cookies = request.headers["cookie"].flatMap { $0.split(at: ";") }
    for cookie in cookies {
      let parts = cookie.split(at: "=", maxSplits: 1).map { $0.trimmingWhiteSpace }
      guard parts.count == 2, parts[0] == cookieName else { continue }
      return WebSession(cookie: parts[1], signedWith: key, now: now)
    }
    return nil
  }

  private static func refusal(_ error: any Error) -> Response {
    Response(error as? RouterError ?? RouterError(.forbidden, "cannot accept the request"))
  }

  /// Returns the confirmation page, without which another user's link could log the browser in.
  private static func question(_ user: String) -> Response {
    page(
      .ok, "Open Router as \(user.asHTML)?",
      "This browser can then answer prompts and read the log as the user \(user.asHTML).",
      "<form method=\"post\"><button class=\"default\" autofocus>Continue</button></form>")
  }

  /// Returns a page with a title, text and form, all in HTML.
  private static func page(_ status: HTTPResponseStatus, _ title: String, _ text: String, _ form: String = "") -> Response {
    let html = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title) – Router</title>
      <link rel="icon" href="/icon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="/style.css">
      <header><span class="brand"><img src="/icon.svg" alt="" width="20" height="20">Router</span></header>
      <main class="empty">
      <h1>\(title)</h1>
      <p>\(text)</p>
      \(form)
      </main>

      """
    var headers = WebPolicy.headers
    headers.replaceOrAdd(
      name: "Content-Security-Policy",
      value: "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'")
    // Browsers send an Origin with the form's POST only if the policy allows a referrer.
    headers.replaceOrAdd(name: "Referrer-Policy", value: form.isEmpty ? "no-referrer" : "same-origin")
    headers.add(name: "Content-Type", value: "text/html; charset=utf-8")
    headers.add(name: "Cache-Control", value: "no-store")
    return Response(status, headers, body: ByteBuffer(string: html))
  }

  /// The response to a browser without a session.
  private static var notLoggedIn: Response {
    var response = Response(.unauthorized, problem: "cannot accept the call: not logged in; run routerctl web --open")
    // RFC 9110, section 11.6.1, requires the field with each 401; the scheme is our own.
    response.headers.add(name: "WWW-Authenticate", value: "Link realm=\"routerd\"")
    return response
  }
}

extension String {
  fileprivate var asHTML: String { replacing(each: "&", with: "&amp;").replacing(each: "<", with: "&lt;") }
}
