package import Router

extension HTTPReply {
  /// The error of a reply with a status other than 2xx.
  package var error: RouterError? {
    guard !(200..<300).contains(status) else { return nil }
    let retryAfter = headers.first(name: "Retry-After").flatMap(Int.init).map(Duration.seconds)
    guard let json = try? JSONValue(parsing: body, maximumDepth: JSONValue.maximumWrappedDepth),
      let problem = try? Problem(reply: json)
    else {
      return RouterError(
        Problem(status: status, title: "", detail: "cannot complete the call: routerd responded with HTTP status \(status)"),
        retryAfter: retryAfter)
    }
    return RouterError(problem, retryAfter: retryAfter)
  }
}
