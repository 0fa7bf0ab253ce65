import OrderedCollections
import Router

/// The daemon's own description (OpenAPI 3.1), which `GET /openapi.json` serves.
///
/// It is written as JSON, a part for each subject, so that it reads as it is served. A test holds it to ``RouteTable`` and to
/// the enumerations of the library.
enum OpenAPI {
  static let document: JSONValue = [
    "openapi": "3.1.1",
    "info": [
      "title": "routerd", "version": .string(Daemon.version), "summary": "One prompt at a time, and a record of all of them.",
      "description": .string(description),
      "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
    ],
    "servers": [["url": "http://localhost", "description": "The Unix socket; the host's name is not looked at."]],
    "security": [],
    "tags": [
      ["name": "asking", "description": "For whoever wants something of the person."],
      ["name": "presenting", "description": "For whoever shows it, and brings back what the person did."],
      ["name": "log", "description": "The record."],
      ["name": "operations", "description": "The daemon itself."],
    ],
    "paths": merged([askingPaths, presentingPaths, promptPaths, logPaths, operationPaths]),
    "components": [
      "parameters": merged([parameters]), "headers": merged([headers]), "responses": merged([responses]),
      "schemas": merged([requestSchemas, formSchemas, presentationSchemas, presentingSchemas, promptSchemas, recordSchemas]),
    ],
  ]

  private static let description = """
    JSON over HTTP/1.1 on a Unix socket. Times are RFC 3339 in UTC with milliseconds, durations are seconds, ids are UUIDv7.

    JSON is read strictly: unknown fields, duplicate keys, more than 32 levels and invalid UTF-8 are errors; a member that is \
    null counts as absent, but in payload and value. The order of a form's properties is the order of the form. Content-Type \
    is not looked at.

    The connection is the request: an attached request ends with its connection.

    Who may call is decided by roles, which the configuration gives to users and groups, by the kernel's word at connect time \
    (SO_PEERCRED, SO_PEERGROUPS); by default the daemon's own user and root have all of them. `x-roles` of an operation are \
    those of which one is needed, admin has all, and an operation without is anyone's who can connect. What belongs to others \
    is absent from a requester's lists and 404 by its id.

    Whatever is asked may also be answered with 429 (as many connections are open as are allowed), 431 (header fields beyond \
    the limit) or 408 (a body that does not arrive in time), after each of which the connection closes. A path that is not \
    here is answered with 404, a method that a path does not have with 405.

    Every error is application/problem+json (RFC 9457).
    """

  /// Reads the parts and puts their members together. They are this program's own: that they are right is for its tests.
  private static func merged(_ parts: [String]) -> JSONValue {
    var members: OrderedDictionary<String, JSONValue> = [:]
    for part in parts {
      guard let object = (try? JSONValue(parsing: part))?.object else {
        preconditionFailure("a part of the description is no JSON object: \(part.prefix(80))")
      }
      members.merge(object) { _, _ in preconditionFailure("two parts of the description have the same member") }
    }
    return .object(members)
  }
}
