import NIOHTTP1
import Router

/// What a request to the page must be before anything else is looked at: meant for this page, by this page.
///
/// `Host` keeps out names that lead here and should not (DNS rebinding), `Origin` and `Sec-Fetch-Site` (Fetch, and Fetch
/// Metadata Request Headers of the W3C) what other pages of the same browser send.
struct WebPolicy: Sendable {
  let authorities: Set<String>

  /// Lets a request in.
  ///
  /// - Throws: ``RouterError`` with `forbidden` that says what is wrong.
  func check(_ request: Request) throws {
    let authority = request.header("host") ?? ""
    guard authorities.contains(authority) else {
      throw RouterError(.forbidden, "cannot serve the host \(authority.shortened): the page has another")
    }
    let origins = request.headers["origin"]
    if let foreign = origins.first(where: { $0 != "http://\(authority)" }) {
      throw RouterError(.forbidden, "cannot take this from the origin \(foreign.shortened): it is not the page")
    }
    guard request.method == .GET || request.method == .HEAD || !origins.isEmpty else {
      throw RouterError(.forbidden, "cannot take a \(request.method) without an Origin: it may not be from the page")
    }
    // A link may be followed from anywhere. What the page itself loads must come from the page.
    guard let site = request.header("sec-fetch-site"), !["same-origin", "none"].contains(site) else { return }
    guard request.header("sec-fetch-mode") == "navigate", !request.path.hasPrefix("/v1/") else {
      throw RouterError(.forbidden, "cannot take this from another site: it is not the page")
    }
  }

  /// What every response of the page says: nothing but its own files, in no frame, kept by nobody, and no word to others of
  /// where somebody has been.
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
