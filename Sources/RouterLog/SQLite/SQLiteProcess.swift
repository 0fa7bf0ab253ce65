import CSQLite

/// SQLite's process-wide settings.
package enum SQLiteProcess {
  /// Turns off memory statistics, which Router does not use. Call it before SQLite is first used; later calls have no
  /// effect.
  package static func disableMemoryStatistics() { _ = sqlite3_config_without_memory_statistics() }
}
