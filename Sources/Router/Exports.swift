// `import Router` is all that a user writes.
@_exported public import RouterCore
@_exported public import RouterLog
@_exported public import RouterSystem
@_exported public import RouterTerminal

// Metadata and JSON objects have this type.
@_exported public import struct OrderedCollections.OrderedDictionary
