import HTTPTypes
import Hummingbird
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
    guard let authority = request.head.authority, authorities.contains(authority) else {
      throw RouterError(.forbidden, "cannot serve the host \((request.head.authority ?? "").shortened): the page has another")
    }
    let origins = request.headers[values: .origin]
    if let foreign = origins.first(where: { $0 != "http://\(authority)" }) {
      throw RouterError(.forbidden, "cannot take this from the origin \(foreign.shortened): it is not the page")
    }
    guard request.method == .get || request.method == .head || !origins.isEmpty else {
      throw RouterError(.forbidden, "cannot take a \(request.method) without an Origin: it may not be from the page")
    }
    // A link may be followed from anywhere. What the page itself loads must come from the page.
    guard let site = request.headers[.secFetchSite], !["same-origin", "none"].contains(site) else { return }
    guard request.headers[.secFetchMode] == "navigate", !request.uri.path.hasPrefix("/v1/") else {
      throw RouterError(.forbidden, "cannot take this from another site: it is not the page")
    }
  }

  /// What every response of the page says: nothing but its own files, in no frame, kept by nobody, and no word to others of
  /// where somebody has been.
  static let headers: HTTPFields = [
    .contentSecurityPolicy: """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; \
    manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
    """,
    .xContentTypeOptions: "nosniff", .xFrameOptions: "DENY", .referrerPolicy: "no-referrer",
    .crossOriginOpenerPolicy: "same-origin", .crossOriginResourcePolicy: "same-origin",
    .permissionsPolicy: "camera=(), geolocation=(), microphone=()",
  ]
}

extension HTTPField.Name {
  static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
  static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")!
  static let secPurpose = HTTPField.Name("Sec-Purpose")!
  static let xFrameOptions = HTTPField.Name("X-Frame-Options")!
  static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
  static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
  static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!
}
