/// The response of `GET /v1/status`.
package struct DaemonStatus: Sendable, Hashable {
  package var version: String
  package var uptime: Duration
  /// The number of surfaces in use.
  package var surfaces: Int
  /// The number of open presentations.
  package var open: Int
  package var databaseBytes: Int
  package var durability: String
  /// Whether the log is writable.
  package var isWritable: Bool
  /// The database's path.
  package var database: String
  package var shared: [SharedSurface]
  /// Problems with the daemon's environment.
  package var warnings: [String]
  /// The page; `nil` if the daemon does not serve it.
  package var page: Page?

  package struct SharedSurface: Sendable, Hashable {
    package var name: String
    /// Whether this host leads the shared surface.
    package var isLeading: Bool
    /// Whether the database can be reached.
    package var isReachable: Bool

    package init(name: String, isLeading: Bool, isReachable: Bool) {
      (self.name, self.isLeading, self.isReachable) = (name, isLeading, isReachable)
    }
  }

  package struct Page: Sendable, Hashable {
    package var address: String
    /// Whether this daemon serves the address; false if another program uses it.
    package var isServed: Bool

    package init(address: String, isServed: Bool) { (self.address, self.isServed) = (address, isServed) }
  }

  package init(
    version: String, uptime: Duration, surfaces: Int, open: Int, databaseBytes: Int, durability: String, isWritable: Bool,
    database: String, shared: [SharedSurface] = [], warnings: [String] = [], page: Page? = nil
  ) {
    (self.version, self.uptime, self.surfaces, self.open) = (version, uptime, surfaces, open)
    (self.databaseBytes, self.durability, self.isWritable) = (databaseBytes, durability, isWritable)
    (self.database, self.shared, self.warnings, self.page) = (database, shared, warnings, page)
  }
}

extension DaemonStatus: Record {
  package static var schemaName: String { "Status" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    version = try f("version", \.version)
    uptime = try f("uptime", \.uptime, "In seconds.")
    surfaces = try f("surfaces", \.surfaces, "Number of surfaces in use.")
    open = try f("open", \.open, "Number of open presentations.")
    databaseBytes = try f("databaseBytes", \.databaseBytes, "Size of the database on disk, without its write-ahead log.")
    durability = try f("durability", \.durability, "", .schema("Durability"))
    isWritable = try f("writable", \.isWritable, "Whether the log was writable when last tried.")
    database = try f("database", \.database, "Path of the audit log's database.")
    shared = try f(
      "shared", ifAbsent: [], \.shared,
      "The surfaces in use that are shared with other hosts. To read the log of one, pass `surface`.")
    warnings = try f(
      "warnings", ifAbsent: [], \.warnings, "What the daemon ignores: environment variables that are no settings.")
    page = try f(
      orNull: "page", \.page, "The page's address, and whether it is served: its port may be taken. Null without web.address.")
  }
}

extension DaemonStatus.SharedSurface: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    name = try f("name", \.name, "", .schema("Name"))
    isLeading = try f("leading", \.isLeading, "Whether this host decides for all hosts.")
    isReachable = try f("reachable", \.isReachable, "Whether the database can be reached; if not, requests are refused.")
  }
}

extension DaemonStatus.Page: Record {
  package static var schemaName: String { "StatusPage" }
  package static var about: String {
    "The page's address, and whether it is served: its port may be taken. Null without web.address."
  }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    address = try f("address", \.address)
    isServed = try f("served", \.isServed)
  }
}
