import Router

enum QueryString {
  /// Adds a query to a path, omitting parameters that are `nil`.
  static func path(_ path: String, _ query: KeyValuePairs<String, String?>) -> String {
    let parameters = query.compactMap { name, value in value.map { "\(name.percentEncoded())=\($0.percentEncoded())" } }
    return parameters.isEmpty ? path : path + "?" + parameters.joined(separator: "&")
  }
}
