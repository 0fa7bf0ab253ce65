import OrderedCollections
import Router

extension ForwardEncoder {
  /// The version of the schema.
  private static let schema = "1.2.0"

  /// A class of the schema with an activity.
  private struct Activity {
    let classUID: Int
    let id: Int
    /// The name of an activity that the schema does not have.
    var name: String?
    /// 1 for a success, 2 for a failure.
    var status: Int?
  }

  /// An event in the Open Cybersecurity Schema Framework, which has no class for a decision.
  func ocsf(_ event: ChainedEvent) -> JSONValue {
    let (kind, detail) = (event.event.kind, event.event.detail)
    let activity = Self.activity(of: kind, detail)
    let party = ["requester", "by", "process"].lazy.compactMap { detail[$0] }.first { $0["uid"] != nil }
    var members: OrderedDictionary<String, JSONValue> = [
      "class_uid": .integer(activity.classUID), "category_uid": 3, "activity_id": .integer(activity.id),
      "type_uid": .integer(activity.classUID * 100 + activity.id), "time": .integer(Int(event.event.at.milliseconds)),
      "severity_id": .integer(activity.status == 2 ? 2 : 1),
      "metadata": [
        "version": .string(Self.schema), "uid": .string(event.hash.hexadecimal), "sequence": .integer(Int(event.head.seq)),
        "event_code": .string(kind.rawValue), "log_name": "router", "original_time": .string(event.event.at.description),
        "product": ["name": "Router", "vendor_name": "Router", "version": .string(routerVersion)],
      ],
    ]
    members["activity_name"] = activity.name.map { .string($0) }
    members["status_id"] = activity.status.map { .integer($0) }
    switch activity.classUID {
    case Self.userAccess:
      members["user"] = ["uid": .string(Self.uid(detail["uid"] ?? party?["uid"]))]
      members["privileges"] = [
        .string(
          detail["verb"]?.string ?? detail["act"]?["verb"]?.string ?? detail["what"]?.string ?? detail["grant"]?.string
            ?? kind.rawValue)
      ]
    default:
      if let party { members["actor"] = Self.actor(party) }
      members["entity"] = [
        "type": .string(event.event.presentation == nil ? "log" : "presentation"),
        "name": .string(detail["request"]?["title"]?.string ?? event.event.presentation?.description ?? host),
        "uid": .string(event.event.presentation?.description ?? String(event.head.seq)),
      ]
    }
    members["unmapped"] = ["host": .string(host), "detail": detail]
    return .object(members)
  }

  private static let entityManagement = 3004
  private static let userAccess = 3005

  private static func activity(of kind: AuditEvent.Kind, _ detail: JSONValue) -> Activity {
    switch kind {
    case .requested: Activity(classUID: entityManagement, id: 1, status: 1)
    case .answered where detail["stays"]?.bool == true: Activity(classUID: entityManagement, id: 3)
    case .answered: Activity(classUID: entityManagement, id: 3, status: 1)
    case .dismissed, .cancelled, .expired, .failed: Activity(classUID: entityManagement, id: 3, status: 2)
    case .granted: Activity(classUID: userAccess, id: 1, status: 1)
    case .revoked: Activity(classUID: userAccess, id: 2, status: 1)
    case .accessDenied: Activity(classUID: userAccess, id: 99, name: kind.rawValue, status: 2)
    default: Activity(classUID: entityManagement, id: 99, name: kind.rawValue)
    }
  }

  private static func actor(_ party: JSONValue) -> JSONValue {
    var actor: OrderedDictionary<String, JSONValue> = ["user": ["uid": .string(uid(party["uid"]))]]
    actor["app_name"] = party["app"]
    var process: OrderedDictionary<String, JSONValue> = [:]
    process["pid"] = party["pid"]
    if let path = party["executable"]?.string {
      process["file"] = ["name": .string(path), "path": .string(path), "type_id": 1]
    }
    if !process.isEmpty { actor["process"] = .object(process) }
    return .object(actor)
  }

  private static func uid(_ number: JSONValue?) -> String { number?.description ?? "unknown" }
}
