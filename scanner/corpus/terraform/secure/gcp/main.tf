resource "google_storage_bucket" "private" {
  name                        = "acme-private"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  versioning {
    enabled = true
  }
  logging {
    log_bucket = "acme-logs"
  }
}
resource "google_storage_bucket_iam_member" "private" {
  bucket = google_storage_bucket.private.name
  role   = "roles/storage.objectViewer"
  member = "group:x@example.com"
}
resource "google_compute_instance" "web" {
  name = "web"
  boot_disk {
    kms_key_self_link = google_kms_crypto_key.main.id
  }
  network_interface {
    subnetwork = google_compute_subnetwork.main.id
  }
  metadata = {
    block-project-ssh-keys = true
    enable-oslogin         = "TRUE"
  }
  shielded_instance_config {
    enable_secure_boot = true
  }
  service_account {
    email  = google_service_account.web.email
    scopes = ["https://www.googleapis.com/auth/logging.write"]
  }
}
resource "google_compute_disk" "data" {
  disk_encryption_key {
    kms_key_self_link = google_kms_crypto_key.main.id
  }
}
resource "google_compute_network" "main" {
  auto_create_subnetworks = false
}
resource "google_compute_subnetwork" "main" {
  private_ip_google_access = true
  log_config {
    aggregation_interval = "INTERVAL_10_MIN"
  }
}
resource "google_compute_subnetwork" "proxies" {
  purpose = "REGIONAL_MANAGED_PROXY"
}
resource "google_compute_firewall" "https" {
  source_ranges = ["0.0.0.0/0"]
  allow {
    protocol = "tcp"
    ports    = ["443"]
  }
}
resource "google_compute_ssl_policy" "strict" {
  profile         = "MODERN"
  min_tls_version = "TLS_1_2"
}
resource "google_container_cluster" "main" {
  master_authorized_networks_config {
    cidr_blocks {
      cidr_block = "10.0.0.0/8"
    }
  }
  private_cluster_config {
    enable_private_nodes = true
  }
  database_encryption {
    state = "ENCRYPTED"
  }
  network_policy {
    enabled = true
  }
  workload_identity_config {
    workload_pool = "acme.svc.id.goog"
  }
  binary_authorization {
    evaluation_mode = "PROJECT_SINGLETON_POLICY_ENFORCE"
  }
  release_channel {
    channel = "REGULAR"
  }
}
resource "google_container_node_pool" "main" {
  management {
    auto_repair  = true
    auto_upgrade = true
  }
  node_config {
    workload_metadata_config {
      mode = "GKE_METADATA"
    }
    shielded_instance_config {
      enable_secure_boot = true
    }
  }
}
resource "google_sql_database_instance" "db" {
  encryption_key_name = google_kms_crypto_key.main.id
  settings {
    ip_configuration {
      ipv4_enabled = false
      ssl_mode     = "ENCRYPTED_ONLY"
    }
    backup_configuration {
      enabled = true
    }
  }
}
resource "google_bigquery_dataset" "data" {
  default_encryption_configuration {
    kms_key_name = google_kms_crypto_key.main.id
  }
  access {
    role          = "READER"
    user_by_email = "x@example.com"
  }
}
resource "google_kms_crypto_key" "main" {
  rotation_period = "7776000s"
}
resource "google_kms_crypto_key" "signing" {
  purpose = "ASYMMETRIC_SIGN"
}
resource "google_project_iam_member" "viewer" {
  role   = "roles/viewer"
  member = "user:x@example.com"
}
resource "google_project" "main" {
  auto_create_network = false
}
resource "google_dns_managed_zone" "main" {
  dnssec_config {
    state = "on"
  }
}
resource "google_dns_managed_zone" "internal" {
  visibility = "private"
}
resource "google_pubsub_topic" "events" {
  kms_key_name = google_kms_crypto_key.main.id
}
resource "google_redis_instance" "cache" {
  auth_enabled            = true
  transit_encryption_mode = "SERVER_AUTHENTICATION"
}
resource "google_cloudfunctions_function" "hook" {
  trigger_http                 = true
  https_trigger_security_level = "SECURE_ALWAYS"
  ingress_settings             = "ALLOW_INTERNAL_ONLY"
}
