resource "google_storage_bucket" "public" {
  name     = "acme-public"
  location = "EU"
}
resource "google_storage_bucket_iam_member" "public" {
  bucket = google_storage_bucket.public.name
  role   = "roles/storage.objectViewer"
  member = "allUsers"
}
resource "google_compute_instance" "web" {
  name         = "web"
  machine_type = "n1-standard-1"
  zone         = "europe-west1-b"
  can_ip_forward = true
  boot_disk {
    initialize_params {
      image = "debian-cloud/debian-12"
    }
  }
  network_interface {
    network = "default"
    access_config {
    }
  }
  metadata = {
    serial-port-enable = true
    enable-oslogin     = false
  }
  service_account {
    scopes = ["cloud-platform"]
  }
}
resource "google_compute_disk" "data" {
  name = "data"
  zone = "europe-west1-b"
}
resource "google_compute_network" "main" {
  name                    = "main"
  auto_create_subnetworks = true
}
resource "google_compute_subnetwork" "main" {
  name          = "main"
  ip_cidr_range = "10.0.0.0/16"
  network       = google_compute_network.main.id
}
resource "google_compute_firewall" "all" {
  name          = "all"
  network       = google_compute_network.main.id
  source_ranges = ["0.0.0.0/0"]
  allow {
    protocol = "tcp"
    ports    = ["22", "3389", "3306"]
  }
}
resource "google_compute_ssl_policy" "weak" {
  name    = "weak"
  profile = "COMPATIBLE"
}
resource "google_compute_project_metadata" "all" {
  metadata = {
    enable-oslogin = "FALSE"
  }
}
resource "google_container_cluster" "main" {
  name               = "main"
  location           = "europe-west1"
  enable_legacy_abac = true
  logging_service    = "none"
  monitoring_service = "none"
  master_auth {
    username = "admin"
    password = "ThisIsALongPassword"
  }
}
resource "google_container_node_pool" "main" {
  name    = "main"
  cluster = google_container_cluster.main.name
  management {
    auto_repair  = false
    auto_upgrade = false
  }
}
resource "google_sql_database_instance" "db" {
  name             = "db"
  database_version = "MYSQL_8_0"
  settings {
    tier = "db-f1-micro"
    ip_configuration {
      ipv4_enabled = true
      authorized_networks {
        name  = "all"
        value = "0.0.0.0/0"
      }
    }
    backup_configuration {
      enabled = false
    }
  }
}
resource "google_bigquery_dataset" "data" {
  dataset_id = "data"
  access {
    role          = "READER"
    special_group = "allAuthenticatedUsers"
  }
}
resource "google_kms_key_ring" "main" {
  name     = "main"
  location = "global"
}
resource "google_kms_crypto_key" "main" {
  name     = "main"
  key_ring = google_kms_key_ring.main.id
}
resource "google_project_iam_member" "owner" {
  project = "acme"
  role    = "roles/owner"
  member  = "user:x@example.com"
}
resource "google_project_iam_binding" "act" {
  project = "acme"
  role    = "roles/iam.serviceAccountTokenCreator"
  members = ["user:x@example.com"]
}
resource "google_project" "main" {
  name       = "acme"
  project_id = "acme"
}
resource "google_dns_managed_zone" "main" {
  name     = "main"
  dns_name = "example.com."
}
resource "google_pubsub_topic" "events" {
  name = "events"
}
resource "google_redis_instance" "cache" {
  name           = "cache"
  memory_size_gb = 1
}
resource "google_cloudfunctions_function" "hook" {
  name         = "hook"
  runtime      = "nodejs20"
  trigger_http = true
}
resource "google_cloudfunctions_function_iam_member" "hook" {
  cloud_function = google_cloudfunctions_function.hook.name
  role           = "roles/cloudfunctions.invoker"
  member         = "allUsers"
}
resource "google_spanner_database" "main" {
  instance = "main"
  name     = "main"
}
resource "google_artifact_registry_repository" "images" {
  repository_id = "images"
  format        = "DOCKER"
}
resource "google_dataproc_cluster" "jobs" {
  name = "jobs"
}
resource "google_notebooks_instance" "lab" {
  name         = "lab"
  machine_type = "e2-medium"
  location     = "europe-west1-b"
}
resource "google_bigtable_instance" "wide" {
  name = "wide"
  cluster {
    cluster_id = "wide"
  }
}
