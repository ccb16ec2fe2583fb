package assay

// Version is the version of this library and of its API.
const Version = "0.1.0"
