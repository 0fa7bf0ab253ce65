import NIOHTTP1
import Router

/// Rejects requests that were not meant for the page or that other sites sent.
///
/// The `Host` check stops DNS rebinding. The `Origin` and `Sec-Fetch-Site` checks (Fetch; W3C Fetch Metadata Request Headers)
/// stop requests from other pages in the same browser.
struct WebPolicy: Sendable {
  let authorities: Set<String>

  /// Checks a request.
  ///
  /// - Throws: ``RouterError`` with `forbidden` and the reason.
  func check(_ request: Request) throws {
    let authority = request.header("host") ?? ""
    guard authorities.contains(authority) else {
      throw RouterError(.forbidden, "cannot serve the host \(authority.shortened): the page has a different address")
    }
    let origins = request.headers["origin"]
    if let foreign = origins.first(where: { $0 != "http://\(authority)" }) {
      throw RouterError(.forbidden, "cannot accept requests from the origin \(foreign.shortened): it is not the page")
    }
    guard request.method == .GET || request.method == .HEAD || !origins.isEmpty else {
      throw RouterError(.forbidden, "cannot accept a \(request.method) without an Origin header: it may not be from the page")
    }
    // Links may be followed from anywhere, but subrequests must come from the page.
    guard let site = request.header("sec-fetch-site"), !["same-origin", "none"].contains(site) else { return }
    guard request.header("sec-fetch-mode") == "navigate", !request.path.begins(with: "/v1/") else {
      throw RouterError(.forbidden, "cannot accept requests from another site than the page")
    }
  }

  /// The security headers of every response. They allow only the page's own files, and forbid framing and referrers.
  static let headers: HTTPHeaders = [
    "Content-Security-Policy": """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; \
    manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
    """,
    "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  ]
}
