package import RouterCore

extension RouterError {
  package static let logUnavailable = RouterError(
    .logUnavailable, "cannot write the audit log; nothing was changed", retryAfter: .seconds(1))
}
