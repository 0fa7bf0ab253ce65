// Re-exported, so that users need only `import Router`.
@_exported public import RouterCore
@_exported public import RouterLog
@_exported public import RouterSystem
@_exported public import RouterTerminal

// The type of metadata and JSON objects.
@_exported public import struct OrderedCollections.OrderedDictionary
